import type { LogEvent } from '../../../shared/event.ts'
import type { IdRange } from './accepted-hour.ts'

/** The events that `importEvents` must insert, and those whose fingerprints it must change. */
export type ImportPlan = { missing: LogEvent[]; regrouped: LogEvent[] }

/** @param stored the fingerprints of the stored events with the same ids, by id */
export function planImport(
  events: readonly LogEvent[],
  stored: ReadonlyMap<number, string | null>,
): ImportPlan {
  return {
    missing: events.filter(({ id }) => !stored.has(id)),
    regrouped: events.filter(
      ({ id, fingerprint }) => stored.has(id) && (stored.get(id) ?? null) !== fingerprint,
    ),
  }
}

/**
 * The range of the ids.
 * @throws RangeError if they do not increase
 */
export function increasingIds(events: readonly LogEvent[]): IdRange {
  let last = -1
  for (const { id } of events) {
    if (!Number.isSafeInteger(id) || id <= last) throw new RangeError('Event ids must increase')
    last = id
  }
  return { afterId: (events[0]?.id ?? 0) - 1, upToId: last }
}
