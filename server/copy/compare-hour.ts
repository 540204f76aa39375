import type { LogEvent } from '../../shared/event.ts'
import type { IdRange } from '../store/common/accepted-hour.ts'
import { hashOf } from './digest.ts'
import { type Reads, readPages } from './read-hour.ts'

/** The differences between the events of the same hour in two stores. */
export type Differences = {
  /** The number of events that are only in the source. */
  missing: number
  /** The number of events whose contents differ between the stores, or that the target contains twice. */
  different: number
  onlyInTarget: number
}

/** Compares the events of two stores one by one, in the order of their ids. */
export async function compareHour(
  source: Reads,
  target: Reads,
  ids: IdRange,
  signal: AbortSignal,
): Promise<Differences> {
  const found: Differences = { missing: 0, different: 0, onlyInTarget: 0 }
  const others = eventsOf(target, ids, signal)
  let other = await others.next()
  for await (const event of eventsOf(source, ids, signal)) {
    while (other.done !== true && other.value.id < event.id) {
      found.onlyInTarget += 1
      other = await others.next()
    }
    if (other.done === true || other.value.id > event.id) {
      found.missing += 1
      continue
    }
    let isSame = hashOf(other.value) === hashOf(event)
    other = await others.next()
    while (other.done !== true && other.value.id === event.id) {
      isSame = false
      other = await others.next()
    }
    if (!isSame) found.different += 1
  }
  for (; other.done !== true; other = await others.next()) found.onlyInTarget += 1
  return found
}

async function* eventsOf(store: Reads, ids: IdRange, signal: AbortSignal): AsyncGenerator<LogEvent> {
  for await (const page of readPages(store, ids, signal)) yield* page
}
