import type { NewEvent } from '../../../shared/event.ts'
import { microsOf } from './time.ts'

/** @throws RangeError if the time or status of an event cannot be stored; see `EventStore.append` */
export function checkNumbers({ timeMs, status }: Pick<NewEvent, 'timeMs' | 'status'>): void {
  if (!Number.isSafeInteger(microsOf(timeMs))) throw new RangeError('The time of an event is out of range')
  if (status !== null && !Number.isInteger(status))
    throw new RangeError('The status of an event is not an integer')
}
