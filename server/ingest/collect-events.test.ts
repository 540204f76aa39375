import t from 'tap'
import { anEvent } from '../store/conformance/testing.ts'
import { collectEvents, maxEvents } from './collect-events.ts'

const options = {
  limitBytes: 1e6,
  reserve: () => {},
  oldestMs: 0,
  tooOldReason: 'too old',
  services: null,
}

t.test('the error for an oversized request says whether items or events exceed the limit', async t => {
  const event = anEvent()
  const requestWith = (items: number, eventsPerItem: number) =>
    collectEvents(
      {
        itemName: 'spans',
        sizeBytes: 1,
        items: Array.from({ length: items }, () => ({})),
        toEvents: () => Array.from({ length: eventsPerItem }, () => event),
      },
      options,
    )
  await t.rejects(requestWith(maxEvents + 1, 0), { statusCode: 413, message: /more than 100000 spans/ })
  await t.rejects(requestWith(2, maxEvents), { statusCode: 413, message: /more than 100000 events/ })
  t.equal((await requestWith(2, maxEvents / 2)).events.length, maxEvents)
})
