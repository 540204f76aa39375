import t from 'tap'
import type { EventRow } from '../../shared/event.ts'
import { formatMessage, maxMessageBytes } from './live-message.ts'

function row(id: number, body: string): EventRow {
  const none = { release: null, requestId: null, traceId: null, method: null, route: null, status: null }
  const rest = {
    durationMs: null,
    digest: null,
    fingerprint: null,
    exceptionType: null,
    exceptionMessage: null,
  }
  return { id, timeMs: id, severity: 'info', service: 'a', source: 'ndjson', body, ...none, ...rest }
}

function parse(message: string) {
  const [, missed = '0'] = /"missed":(\d+)/.exec(message) ?? []
  const rows: EventRow[] = JSON.parse(/^data: (\[.*\])$/m.exec(message)?.[1] ?? '[]')
  return { missed: Number(missed), ids: rows.map(({ id }) => id) }
}

t.test('the size of a message is limited, and older events that do not fit count as missed', t => {
  // Each character is three bytes in UTF-8.
  const events = Array.from({ length: 500 }, (_, index) => row(index + 1, '€'.repeat(20_000)))
  const message = formatMessage({ events, missed: 7, position: '500' })
  t.ok(Buffer.byteLength(message) < maxMessageBytes + 200)
  t.ok(Buffer.byteLength(message) > maxMessageBytes - 100_000)
  const { missed, ids } = parse(message)
  t.equal(missed + ids.length, 507)
  t.equal(ids.at(-1), 500, 'the newest events are sent')
  t.equal(ids[0], 500 - ids.length + 1)
  t.match(message, /^event: gap\n.*\n\nid: 500\nevent: events\n/)
  t.end()
})

t.test('one event is sent even if it is larger than the limit', t => {
  const events = [row(1, 'small'), row(2, 'x'.repeat(maxMessageBytes))]
  t.same(parse(formatMessage({ events, missed: 0, position: '9' })), { missed: 1, ids: [2] })
  t.end()
})

t.test('returns no message if there are no events', t => {
  t.equal(formatMessage({ events: [], missed: 0, position: '3' }), '')
  t.end()
})
