import type { EventRow } from '../shared/event.ts'
import { parseGap, parseLiveEvents } from './live-messages.ts'

/** `missed`: the number of events missing before `events`. `after`: the position after `events`. */
export type FeedMessage = { missed: number; events: readonly EventRow[]; after: string }

type Feed = { addEventListener(type: string, listener: (event: MessageEvent) => void): void }

/**
 * Calls `act` with each batch of events from a live feed and the number of events missing before it. Does not report a gap
 * until the next events arrive. If the feed reconnects before then, it repeats the gap, because only events have a position.
 * Reporting the gap immediately would therefore count it twice.
 */
export function readFeed(source: Feed, act: (message: FeedMessage) => void): void {
  let missed = 0
  source.addEventListener('gap', ({ data }) => {
    missed = parseGap(data) ?? 0
  })
  source.addEventListener('events', ({ data, lastEventId }) => {
    const events = parseLiveEvents(data)
    if (events === null) return
    act({ missed, events, after: lastEventId })
    missed = 0
  })
}
