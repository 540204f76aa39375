import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { createPace } from './pace.ts'

const megabyte = 1024 * 1024

/** A sender whose flushes end when the test says so: those that wait for good, and those that wait a while. */
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

t.test('what is little never waits', async t => {
  const { flush, waits } = sender()
  const pace = createPace(flush)
  await pace(megabyte)
  t.equal(waits.length, 0)
})

t.test('much waits until it is kept', async t => {
  const { flush, waits, endAll } = sender()
  const pace = createPace(flush)
  for (const expected of [2, 4]) {
    let isOn = false
    const waiting = pace(3 * megabyte).then(() => {
      isOn = true
    })
    await turn()
    t.equal(isOn, false)
    t.equal(waits.length, expected)
    endAll()
    await waiting
  }
})

t.test('where nothing is kept it goes on after a while, and waits no more until something is', async t => {
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
