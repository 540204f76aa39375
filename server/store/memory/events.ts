import type { LogEvent } from '../../../shared/event.ts'
import { checkNumbers } from '../common/check-numbers.ts'
import { readCursor } from '../common/cursor.ts'
import { fittingEvents, pageOf } from '../common/page.ts'
import { readPosition, writePosition } from '../common/position.ts'
import { rowOf } from '../common/row-of.ts'
import { idAt, microsOf } from '../common/time.ts'
import { wellFormed } from '../common/well-formed.ts'
import type { EventPage, EventQuery, EventStore } from '../event-store.ts'
import { memoryCounts } from './counts.ts'
import { matches } from './match.ts'
import { type Memory, newestFirst, type Run } from './memory.ts'
import { memoryRequests } from './requests.ts'
import { memoryRetention } from './retain.ts'
import { matchingEvents } from './select-events.ts'
import { memoryServices } from './services.ts'
import { memoryVisitors } from './visitors.ts'

export function memoryEvents(memory: Memory, run: Run, nowMs: () => number): EventStore {
  const page = (query: EventQuery, lengthOf: (event: LogEvent) => number): EventPage<LogEvent> => {
    const before = readCursor(query.before)
    const after = before === null ? readCursor(query.after) : null
    const cursor = before ?? after
    const matches = matchingEvents(memory, query).filter(event => {
      if (cursor === null) return true
      const order = microsOf(event.timeMs) - cursor.timeUs || event.id - cursor.id
      return after === null ? order < 0 : order > 0
    })
    matches.sort((a, b) => (after === null ? newestFirst(a, b) : newestFirst(b, a)))
    const rows = matches.slice(0, query.limit + 1)
    return pageOf(rows, fittingEvents(rows.map(lengthOf), query.limit), before, after)
  }

  return {
    append: (events, requestKeys = []) =>
      run(undefined, () => {
        const firstId = Math.max(memory.lastId + 1, idAt(nowMs()))
        const stored = events.map((event, index) => {
          checkNumbers(event)
          return { ...wellFormed(event), id: firstId + index }
        })
        memory.events.push(...structuredClone(stored))
        memory.lastId = stored.at(-1)?.id ?? memory.lastId
        const acceptedMs = Math.floor(nowMs())
        memory.requests.push(...requestKeys.map(key => ({ key, acceptedMs })))
        return stored
      }),
    claimRequests: keys =>
      run(undefined, () =>
        keys.map(key => (memory.requests.some(request => request.key === key) ? 'stored' : 'new')),
      ),
    events: (query, signal) =>
      run(signal, () => {
        const { events, ...cursors } = page(query, () => 0)
        return { events: events.map(event => rowOf(event, query.attributes)), ...cursors }
      }),
    wholeEvents: (query, signal) => run(signal, () => structuredClone(page(query, textLength))),
    event: (id, signal) =>
      run(signal, () => structuredClone(memory.events.find(event => event.id === id) ?? null)),
    async since(after, { query, limit, attributes }, signal) {
      const { lastId } = memory
      const end = { lastId, position: writePosition([lastId]) }
      const [afterId = lastId] = readPosition(after ?? '') ?? []
      if (afterId >= lastId) return { events: [], missed: 0, ...end }
      return run(signal, () => {
        const newer = memory.events.filter(event => event.id > afterId && matches(memory, event, query))
        const missed = Math.max(newer.length - limit, 0)
        return { events: newer.slice(missed).map(event => rowOf(event, attributes)), missed, ...end }
      })
    },
    ...memoryCounts(memory, run),
    ...memoryServices(memory, run),
    ...memoryRequests(memory, run),
    ...memoryVisitors(memory, run),
    ...memoryRetention(memory, run),
  }
}

/** The number of characters of the event's long texts. */
function textLength({ body, attributes, exception }: LogEvent): number {
  return [body, JSON.stringify(attributes), exception?.message ?? '', exception?.stack ?? ''].join('').length
}
