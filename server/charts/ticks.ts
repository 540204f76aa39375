import { formatDate, formatTime } from '../../shared/format.ts'
import type { Preferences } from '../../shared/preferences.ts'
import type { Window } from '../../shared/range.ts'

export type Clock = Pick<Preferences, 'timeZone' | 'clock'>
export type Tick = { ms: number; label: string }

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const steps = [
  ...[1, 2, 5, 10, 15, 30].map(minutes => minutes * minute),
  ...[1, 2, 3, 6, 12].map(hours => hours * hour),
  ...[1, 2, 5, 10, 30, 90, 365].map(days => days * day),
]

/**
 * The instants that an axis of time names: round ones on the clock of the visitor's zone, at most `most`. Labels
 * are times of day, and dates where a day begins.
 */
export function timeTicks(window: Window, clock: Clock, most = 6): Tick[] {
  const lengthMs = window.toMs - window.fromMs
  const stepMs = steps.find(step => lengthMs / step <= most) ?? Math.ceil(lengthMs / most / day) * day
  const ticks: Tick[] = []
  const firstWallMs = Math.ceil(wallMs(window.fromMs, clock) / stepMs) * stepMs
  const lastWallMs = wallMs(window.toMs, clock)
  for (let wall = firstWallMs; wall < lastWallMs; wall += stepMs) {
    const ms = instantOf(wall, window.fromMs, clock)
    if (ms >= window.fromMs && ms < window.toMs) ticks.push({ ms, label: label(ms, wall % day === 0, clock) })
  }
  return ticks
}

/** The last midnight on the clock of the visitor's zone. */
export function startOfDay(ms: number, clock: Clock): number {
  const wall = wallMs(ms, clock)
  return instantOf(wall - (wall % day), ms, clock)
}

function label(ms: number, isMidnight: boolean, clock: Clock): string {
  return isMidnight ? formatDate(ms, clock).slice(5) : formatTime(ms, clock, 'minute')
}

/** What the clocks of the zone show at an instant, counted as if they showed UTC. */
function wallMs(ms: number, { timeZone }: Clock): number {
  const clock: Clock = { timeZone, clock: '24h' }
  return Date.parse(`${formatDate(ms, clock)}T${formatTime(ms, clock)}Z`)
}

/** The instant at which the clocks show `wall`; the second look is for a change of the clocks in between. */
function instantOf(wall: number, nearMs: number, clock: Clock): number {
  const guess = wall - (wallMs(nearMs, clock) - nearMs)
  return wall - (wallMs(guess, clock) - guess)
}
