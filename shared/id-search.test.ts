import t from 'tap'
import { idLinks, idSearches, idSearchText, isCounterId } from './id-search.ts'

const event = { timeMs: Date.UTC(2026, 10, 21, 14), durationMs: null, service: 'shop & co' }
const traceId = 'a'.repeat(32)

t.test('recognises ids that count the requests of a process', t => {
  for (const id of ['req-1', 'req-2x', 'req-zzzzzz', '1', '4294967295']) t.ok(isCounterId(id), id)
  for (const id of ['r-1', 'req-4bf92f35', 'req-', '12345678901', '', 'request-1', traceId])
    t.notOk(isCounterId(id), id)
  t.end()
})

t.test('searches all services, unless the id is unique only within a process', t => {
  const textsOf = (ids: { requestId: string | null; traceId: string | null }) => {
    const { trace, request } = idSearches({ ...event, ...ids })
    return [trace, request].map(search => search && idSearchText(search))
  }
  t.same(textsOf({ requestId: 'r-4711', traceId }), [`trace:${traceId}`, 'request:r-4711'])
  t.same(textsOf({ requestId: 'req-7', traceId: null }), [null, 'request:req-7 service:"shop & co"'])
  t.end()
})

t.test('links contain an hour before the start and after the end of the event', t => {
  const slow = { ...event, durationMs: 2 * 3_600_000, requestId: '7', traceId: null }
  t.same(idLinks(slow, 'message'), {
    trace: undefined,
    request:
      '/activities?q=request:7+service:%22shop+%26+co%22&from=2026-11-21T11:00Z&to=2026-11-21T15:00:00.001Z&columns=message',
  })
  t.end()
})
