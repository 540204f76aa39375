import fc from 'fast-check'
import t from 'tap'
import type { EventRow } from '../../../shared/event.ts'
import { eventSources, severities } from '../../../shared/event.ts'
import { readEvents, readGap } from './live-messages.ts'

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
})

t.test('what the feed sends is read as it was sent', async t => {
  fc.assert(
    fc.property(fc.array(eventRow), rows => {
      t.same(readEvents(JSON.stringify(rows)), rows)
    }),
    { numRuns: 30 },
  )
})

t.test('an event with one field of another kind is refused, and all with it', async t => {
  fc.assert(
    fc.property(eventRow, eventRow, fc.nat(), (good, other, which) => {
      const names = Object.keys(other)
      const name = names[which % names.length] ?? ''
      t.equal(readEvents(JSON.stringify([good, { ...other, [name]: { nested: true } }])), null, name)
      t.equal(readEvents(JSON.stringify([good, { ...other, [name]: undefined }])), null, name)
    }),
    { numRuns: 30 },
  )
})

t.test('whatever else comes is refused without an exception', async t => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), data => {
      const events = readEvents(data)
      t.ok(events === null || events.length === 0)
      readGap(data)
    }),
  )
})

t.test('a gap tells how many', async t => {
  t.equal(readGap('{"missed":12}'), 12)
  for (const data of ['', '{}', 'null', '12', '{"missed":"12"}', '{"missed":-1}', '{"missed":1.5}']) {
    t.equal(readGap(data), null, data)
  }
})
