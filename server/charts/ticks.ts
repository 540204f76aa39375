import { dayMs, hourMs, minuteMs } from '../../shared/duration-units.ts'
import { formatDay, formatTime, localTimeMs } from '../../shared/format.ts'
import type { Clock } from '../../shared/preferences.ts'
import type { Window } from '../../shared/range.ts'

type Tick = { ms: number; label: string }

const steps = [
  ...[1, 2, 5, 10, 15, 30].map(seconds => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map(minutes => minutes * minuteMs),
  ...[1, 2, 3, 6, 12].map(hours => hours * hourMs),
  ...[1, 2, 5, 10, 30, 90, 365].map(days => days * dayMs),
]

/** The largest expected clock change. */
const maxClockChange = 2 * hourMs

/**
 * Returns the ticks of a time axis: about `maxTicks` round times in the visitor's time zone. Labels are times of day, or
 * dates at the start of a day.
 */
export function timeTicks(window: Window, clock: Clock, maxTicks = 6): Tick[] {
  const lengthMs = window.toMs - window.fromMs
  const stepMs =
    steps.find(step => lengthMs / step <= maxTicks) ?? Math.ceil(lengthMs / maxTicks / dayMs) * dayMs
  const precision = stepMs < minuteMs ? 'second' : 'minute'
  const ticks = new Map<number, Tick>()
  // If clocks go back within the window, local time advances less than real time, and some local times repeat.
  const fromLocalMs = Math.min(localTimeMs(window.fromMs, clock), localTimeMs(window.toMs, clock) - lengthMs)
  const toLocalMs = fromLocalMs + lengthMs + maxClockChange
  for (let localMs = Math.ceil(fromLocalMs / stepMs) * stepMs; localMs < toLocalMs; localMs += stepMs) {
    const isMidnight = localMs % dayMs === 0
    for (const ms of timesAtLocal(localMs, clock, isMidnight)) {
      // A day without midnight starts at 01:00, which already has a tick with the date.
      if (ms < window.fromMs || ms >= window.toMs || ticks.has(ms)) continue
      ticks.set(ms, { ms, label: isMidnight ? formatDay(ms, clock) : formatTime(ms, clock, precision) })
    }
  }
  return [...ticks.values()].sort((a, b) => a.ms - b.ms)
}

/** Returns the start of the day in the visitor's time zone: midnight, or the next local time if midnight is skipped. */
export function startOfDay(ms: number, clock: Clock): number {
  const localMs = localTimeMs(ms, clock)
  const [start = ms] = timesAtLocal(localMs - (localMs % dayMs), clock, true)
  return start
}

/**
 * Returns the times at which local clocks show `localMs`, earliest first. There are two if clocks go back past `localMs`,
 * and none if they go forward past it. With `isNeeded`, returns the time of the clock change instead of an empty list.
 */
function timesAtLocal(localMs: number, clock: Clock, isNeeded: boolean): number[] {
  const [before, after] = [localMs - dayMs, localMs + dayMs].map(
    ms => localMs - (localTimeMs(ms, clock) - ms),
  )
  if (before === undefined || after === undefined || before === after) return [before ?? localMs]
  const shown = [before, after].filter(ms => localTimeMs(ms, clock) === localMs).sort((a, b) => a - b)
  return shown.length === 0 && isNeeded ? [before] : shown
}
