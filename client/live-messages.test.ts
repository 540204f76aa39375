import fc from 'fast-check'
import t from 'tap'
import type { EventRow } from '../shared/event.ts'
import { eventSources } from '../shared/event.ts'
import { severities } from '../shared/severity.ts'
import { parseGap, parseLiveEvents } from './live-messages.ts'

const textOrNull = fc.option(fc.string())
const numberOrNull = fc.option(fc.integer())
const eventRow: fc.Arbitrary<EventRow> = fc.record({
  id: fc.maxSafeNat(),
  timeMs: fc.integer(),
  severity: fc.constantFrom(...severities),
  service: fc.string(),
  release: textOrNull,
  source: fc.constantFrom(...eventSources),
  body: fc.string(),
  requestId: textOrNull,
  traceId: textOrNull,
  method: textOrNull,
  route: textOrNull,
  status: numberOrNull,
  durationMs: numberOrNull,
  digest: textOrNull,
  fingerprint: textOrNull,
  exceptionType: textOrNull,
  exceptionMessage: textOrNull,
})

t.test('parses the events in a message', async t => {
  fc.assert(
    fc.property(fc.array(eventRow), rows => {
      t.same(parseLiveEvents(JSON.stringify(rows)), rows)
    }),
    { numRuns: 30 },
  )
})

t.test('rejects a message if a field of any event has the wrong type', async t => {
  fc.assert(
    fc.property(eventRow, eventRow, fc.nat(), (good, other, which) => {
      const names = Object.keys(other)
      const name = names[which % names.length] ?? ''
      t.equal(parseLiveEvents(JSON.stringify([good, { ...other, [name]: { nested: true } }])), null, name)
      t.equal(parseLiveEvents(JSON.stringify([good, { ...other, [name]: undefined }])), null, name)
    }),
    { numRuns: 30 },
  )
})

t.test('finds no events in any other message, and does not throw', async t => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), data => {
      const events = parseLiveEvents(data)
      t.ok(events === null || events.length === 0)
      parseGap(data)
    }),
  )
})

t.test('parses the number of skipped events', async t => {
  t.equal(parseGap('{"missed":12}'), 12)
  for (const data of ['', '{}', 'null', '12', '{"missed":"12"}', '{"missed":-1}', '{"missed":1.5}']) {
    t.equal(parseGap(data), null, data)
  }
})
