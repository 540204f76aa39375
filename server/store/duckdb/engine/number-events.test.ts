import t from 'tap'
import { anEvent } from '../../conformance/testing.ts'
import { numberEvents } from './number-events.ts'

t.test('assigns ids and yields to other requests', async t => {
  let yields = 0
  const counted = {
    isUsedUp: () => true,
    async yieldToOthers() {
      yields += 1
    },
  }
  const stored = await numberEvents([anEvent(), anEvent(), anEvent()], 10, counted)
  t.same(
    stored.map(({ id }) => id),
    [10, 11, 12],
  )
  t.equal(yields, 3)
})
