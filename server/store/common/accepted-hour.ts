import { hourMs } from '../../../shared/duration-units.ts'
import { acceptedMs, idAt } from './time.ts'

/** The number of ids in an hour. The first id of each hour is a multiple of this number. */
export const idsPerHour = idAt(Date.UTC(2020, 0, 1) + hourMs)

/** Ids above `afterId`, up to `upToId`. */
export type IdRange = { afterId: number; upToId: number }

/** The ids of the events that were accepted in the hour. */
export function idsOfHour(startMs: number): IdRange {
  const firstId = idAt(startMs)
  return { afterId: firstId - 1, upToId: firstId + idsPerHour - 1 }
}

/** The start of the hour in which the event with this id was accepted. */
export function hourOfId(id: number): number {
  return acceptedMs(id - (id % idsPerHour))
}
