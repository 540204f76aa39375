import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { createPace } from './pace.ts'

const megabyte = 1024 * 1024

/** A fake sender. The test completes all flushes, or only those with a short timeout. */
function sender() {
  const waits: { withinMs: number; end: () => void }[] = []
  const flush = (withinMs: number) => new Promise<void>(end => waits.push({ withinMs, end }))
  const endShort = () => {
    for (const { withinMs, end } of waits) if (withinMs < 60_000) end()
  }
  const endAll = () => {
    for (const { end } of waits) end()
  }
  return { flush, waits, endShort, endAll }
}

t.test('does not wait after a small amount of input', async t => {
  const { flush, waits } = sender()
  const pace = createPace(flush)
  await pace(megabyte)
  t.equal(waits.length, 0)
})

t.test('waits until a large input is stored', async t => {
  const { flush, waits, endAll } = sender()
  const pace = createPace(flush)
  for (const expected of [2, 4]) {
    let hasContinued = false
    const waiting = pace(3 * megabyte).then(() => {
      hasContinued = true
    })
    await turn()
    t.equal(hasContinued, false)
    t.equal(waits.length, expected)
    endAll()
    await waiting
  }
})

t.test('stops waiting after a timeout, and waits again only after events have been stored', async t => {
  const { flush, waits, endShort, endAll } = sender()
  const pace = createPace(flush)
  const waiting = pace(3 * megabyte)
  endShort()
  await waiting
  await pace(100 * megabyte)
  t.equal(waits.length, 2)
  endAll()
  await turn()
  void pace(3 * megabyte)
  t.equal(waits.length, 4)
})
