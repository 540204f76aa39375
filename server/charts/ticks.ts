import { formatDate, formatTime } from '../../shared/format.ts'
import type { Preferences } from '../../shared/preferences.ts'
import type { Window } from '../../shared/range.ts'

export type Clock = Pick<Preferences, 'timeZone' | 'clock'>
type Tick = { ms: number; label: string }

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const steps = [
  ...[1, 2, 5, 10, 15, 30].map(minutes => minutes * minute),
  ...[1, 2, 3, 6, 12].map(hours => hours * hour),
  ...[1, 2, 5, 10, 30, 90, 365].map(days => days * day),
]

/** No clock is put forward or back by more. */
const mostChange = 2 * hour

/**
 * The instants that an axis of time names: round ones on the clock of the visitor's zone, at most `most`. Labels
 * are times of day, and dates where a day begins.
 */
export function timeTicks(window: Window, clock: Clock, most = 6): Tick[] {
  const lengthMs = window.toMs - window.fromMs
  const stepMs = steps.find(step => lengthMs / step <= most) ?? Math.ceil(lengthMs / most / day) * day
  const ticks = new Map<number, Tick>()
  // Where the clocks are put back, they show less at the end than has passed, and some times twice.
  const fromWallMs = Math.min(wallMs(window.fromMs, clock), wallMs(window.toMs, clock) - lengthMs)
  const toWallMs = fromWallMs + lengthMs + mostChange
  for (let wall = Math.ceil(fromWallMs / stepMs) * stepMs; wall < toWallMs; wall += stepMs) {
    const isMidnight = wall % day === 0
    for (const ms of instantsOf(wall, clock, isMidnight)) {
      // A day that begins at one o'clock is named by its date.
      if (ms < window.fromMs || ms >= window.toMs || ticks.has(ms)) continue
      ticks.set(ms, { ms, label: label(ms, isMidnight, clock) })
    }
  }
  return [...ticks.values()].sort((a, b) => a.ms - b.ms)
}

/** When the day of the visitor's zone began: at midnight, or right after it where the clocks skip that. */
export function startOfDay(ms: number, clock: Clock): number {
  const wall = wallMs(ms, clock)
  const [start = ms] = instantsOf(wall - (wall % day), clock, true)
  return start
}

function label(ms: number, isMidnight: boolean, clock: Clock): string {
  return isMidnight ? formatDate(ms, clock).slice(5) : formatTime(ms, clock, 'minute')
}

/** What the clocks of the zone show at an instant, counted as if they showed UTC. */
function wallMs(ms: number, { timeZone }: Clock): number {
  const clock: Clock = { timeZone, clock: '24h' }
  return Date.parse(`${formatDate(ms, clock)}T${formatTime(ms, clock)}Z`)
}

/**
 * The instants at which the clocks show `wall`, earliest first: two where they are put back over it; where they
 * are put forward over it none, or, if it has to be one, the instant of that.
 */
function instantsOf(wall: number, clock: Clock, isNeeded: boolean): number[] {
  const [before, after] = [wall - day, wall + day].map(ms => wall - (wallMs(ms, clock) - ms))
  if (before === undefined || after === undefined || before === after) return [before ?? wall]
  const shown = [before, after].filter(ms => wallMs(ms, clock) === wall).sort((a, b) => a - b)
  return shown.length === 0 && isNeeded ? [before] : shown
}
