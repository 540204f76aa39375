/** Times are stored as integer microseconds since 1970, the precision of `timeMs`. */
export function microsOf(timeMs: number): number {
  return Math.round(timeMs * 1000)
}

const idEpochMs = Date.UTC(2020, 0, 1)
const idsPerMs = 4096

/** The smallest possible id of an event accepted at this time. */
export function idAt(acceptedMs: number): number {
  return Math.max(0, Math.floor(acceptedMs - idEpochMs) * idsPerMs)
}

/** Returns when the event with this id was accepted, or a later time if the clock was set back and has not caught up yet. */
export function acceptedMs(id: number): number {
  return Math.floor(id / idsPerMs) + idEpochMs
}
