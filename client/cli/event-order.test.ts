import fc from 'fast-check'
import t from 'tap'
import { createEventOrder } from './event-order.ts'

t.test('sends events in the order of their positions, but only those before the pending lines', async t => {
  const sent: string[] = []
  const order = createEventOrder(event => sent.push(event))
  order.add(1, 'b')
  order.add(2, 'c')
  order.release(0)
  t.same(sent, [])
  order.add(0, 'a')
  order.add(4, 'e')
  order.release(3)
  t.same(sent, ['a', 'b', 'c'])
  order.release(Infinity)
  t.same(sent, ['a', 'b', 'c', 'e'])
})

t.test('keeps a limited number of characters', async t => {
  let sent = 0
  const order = createEventOrder(() => {
    sent += 1
  })
  for (let position = 1; position <= 100; position++) {
    order.add(position, 'x'.repeat(100_000))
    order.release(0)
  }
  t.ok(sent > 80 && sent < 100, `${sent} of 100 events`)
})

t.test('sends each event once', async () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(20))), events => {
      const sent: string[] = []
      const order = createEventOrder(event => sent.push(event))
      for (const [index, [position, until]] of events.entries()) {
        order.add(position, String(index))
        order.release(until)
      }
      order.release(Infinity)
      return sent.length === events.length && new Set(sent).size === events.length
    }),
  )
})
