import { join } from 'node:path'
import type { LogEvent } from '../../shared/event.ts'
import { idAt } from '../store/common/time.ts'
import { anEvent, noonMs } from '../store/conformance/testing.ts'
import { openDuckDbStore } from '../store/duckdb/store.ts'
import type { Store } from '../store/store.ts'
import { copyEvents, type EventCopy } from './copy-events.ts'

export const notAborted = new AbortController().signal

/** Events with these ids, relative to noon. */
export function eventsWithIds(offsets: readonly number[], overrides: Partial<LogEvent> = {}): LogEvent[] {
  return offsets.map(offset => ({
    ...anEvent({ body: `event ${offset}`, timeMs: noonMs }),
    id: idAt(noonMs) + offset,
    ...overrides,
  }))
}

/** Copies events without showing progress. */
export function copyQuietly(source: Store, target: Store, signal = notAborted): Promise<EventCopy> {
  return copyEvents(source, target, { start: () => {}, advance: () => {} }, signal)
}

/** All events, in the order of their ids. */
export function allEventsOf(store: Store): Promise<LogEvent[]> {
  return store.eventsInIds({ afterId: -1, upToId: Number.MAX_SAFE_INTEGER })
}

/** Creates a store whose only segment has many blocks, mainly of attributes. Returns the path of the segment. */
export async function folderWithBlocks(folder: string): Promise<string> {
  const store = await openDuckDbStore({ folder, preparesSegments: false })
  const texts = Array.from({ length: 20_000 }, (_, index) => Math.sin(index).toString(36).repeat(9))
  const events = eventsWithIds([...texts.keys()])
  await store.importEvents(
    events.map((event, index) => ({ ...event, attributes: { text: texts[index] ?? '' } })),
  )
  await store.close()
  return join(folder, 'events-0000000000000000.duckdb')
}
