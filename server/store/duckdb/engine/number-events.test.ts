import t from 'tap'
import { anEvent } from '../../conformance/testing.ts'
import { numberEvents } from './number-events.ts'

t.test('assigns ids, computes the bounds, and yields to other requests', async t => {
  let yields = 0
  const counted = {
    isUsedUp: () => true,
    async yieldToOthers() {
      yields += 1
    },
  }
  const fingerprints = new Map([[1, 'f1']])
  const events = [2, 1, 3].map(timeMs => anEvent({ timeMs, fingerprint: fingerprints.get(timeMs) ?? null }))
  const { stored, bounds } = await numberEvents(events, 10, counted)
  t.same(
    stored.map(({ id }) => id),
    [10, 11, 12],
  )
  t.same(bounds, { events: 3, fromUs: 1000, toUs: 3000, firstId: 10, lastId: 12, lastFailureId: 11 })
  t.equal(yields, 3)
})
