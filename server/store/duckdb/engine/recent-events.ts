import type { LogEvent } from '../../../../shared/event.ts'

/** The newest stored events. With them, results that were computed earlier can be updated without a query. */
export type RecentEvents = {
  /** Adds the events of a commit. */
  add(events: readonly LogEvent[]): void
  /** Discards all events, for example because it is unknown whether other events were stored. */
  forget(): void
  /** Returns the events with greater ids, oldest first; `null` if some of them are not in memory. */
  since(id: number): readonly LogEvent[] | null
}

/** For larger commits, a query is faster than visiting each event. */
const maxCommitEvents = 100
const maxEvents = 1000
/** Limits the size of the events' JSON, in UTF-16 code units. */
const maxLength = 1_000_000

/** @param lastId the id of the last event that is already stored */
export function createRecentEvents(lastId: number): RecentEvents {
  let events: LogEvent[] = []
  let length = 0
  /** All events with greater ids are in memory. */
  let afterId = lastId

  return {
    add(added) {
      const last = added.at(-1)
      if (last === undefined) return
      if (added.length <= maxCommitEvents && Number.isFinite(afterId)) {
        events.push(...added)
        length += added.reduce((sum, event) => sum + JSON.stringify(event).length, 0)
        if (events.length <= maxEvents && length <= maxLength) return
      }
      events = []
      length = 0
      afterId = last.id
    },
    forget() {
      events = []
      length = 0
      afterId = Number.POSITIVE_INFINITY
    },
    since(id) {
      return id < afterId ? null : events.slice(events.findLastIndex(event => event.id <= id) + 1)
    },
  }
}
