import type { LogEvent } from '../../../../shared/event.ts'

/** The newest stored events. Results computed from older events can be updated with them, without a query. */
export type RecentEvents = {
  /** Adds the events of a commit. */
  add(events: readonly LogEvent[]): void
  /** Returns the events with greater ids, oldest first; `null` if some of them are not in memory. */
  since(id: number): readonly LogEvent[] | null
}

/** For larger commits, a query is faster than visiting each event. */
const maxCommitEvents = 100
const maxEvents = 1000
/** Limits the text in memory, in UTF-16 code units. */
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
      if (added.length <= maxCommitEvents) {
        events.push(...added)
        length += added.reduce((sum, event) => sum + lengthOf(event), 0)
        if (events.length <= maxEvents && length <= maxLength) return
      }
      events = []
      length = 0
      afterId = last.id
    },
    since(id) {
      return id < afterId ? null : events.slice(events.findLastIndex(event => event.id <= id) + 1)
    },
  }
}

function lengthOf({ body, exception, attributes }: LogEvent): number {
  return body.length + (exception?.stack?.length ?? 0) + JSON.stringify(attributes).length
}
