import t from 'tap'
import { createRecovery } from './recovery.ts'

class Broken extends Error {}

/** A resource whose generations count from 0; `failures` of its replacements fail before one succeeds. */
function resource({ failures = 0 } = {}) {
  const state = { generation: 0, running: 0 }
  const recovery = createRecovery({
    isBroken: error => error instanceof Broken,
    async replace() {
      if (state.running > 0) throw new Error('Replaced while an operation was running')
      await Promise.resolve()
      if (failures-- > 0) throw new Error('Not yet')
      state.generation += 1
    },
  })
  /** Fails on generation 0 only. */
  const use = async () => {
    const { generation } = state
    state.running += 1
    await new Promise(setImmediate)
    state.running -= 1
    if (generation === 0) throw new Broken('Broken')
    return generation
  }
  return { recovery, state, use }
}

t.test('retries on a new resource, which simultaneous operations share', async t => {
  const { recovery, state, use } = resource()
  t.same(await Promise.all([1, 2, 3].map(() => recovery.retry(use))), [1, 1, 1])
  t.equal(state.generation, 1)
})

t.test('passes other errors on and replaces nothing', async t => {
  const { recovery, state } = resource()
  await t.rejects(
    recovery.retry(async () => {
      throw new RangeError('Wrong')
    }),
    RangeError,
  )
  t.equal(state.generation, 0)
})

t.test('tries the replacement again for the next operation', async t => {
  const { recovery, state, use } = resource({ failures: 2 })
  await t.rejects(recovery.retry(use), { message: 'Not yet' })
  await t.rejects(recovery.run(use), { message: 'Not yet' })
  t.equal(await recovery.run(use), 1)
  t.equal(state.generation, 1)
})

t.test('waits for running operations, and lets new ones wait', async t => {
  const { recovery, use } = resource()
  const running = recovery.run(use)
  const replaced = recovery.replace()
  const waiting = recovery.run(use)
  await t.rejects(running, { message: 'Broken' })
  await replaced
  t.equal(await waiting, 1)
})

t.test('idle resolves when no operation is running', async t => {
  const { recovery, state } = resource()
  state.generation = 1
  let done = false
  const running = recovery.run(async () => {
    await new Promise(setImmediate)
    done = true
  })
  await recovery.idle()
  t.ok(done)
  await running
})
