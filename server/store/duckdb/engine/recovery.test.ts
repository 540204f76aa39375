import t from 'tap'
import { createRecovery } from './recovery.ts'

class Broken extends Error {}

/** A resource with a generation number, starting at 0. The first `failures` replacements fail. */
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

t.test('simultaneous operations are retried on the same new resource', async t => {
  const { recovery, state, use } = resource()
  t.same(await Promise.all([1, 2, 3].map(() => recovery.retry(use))), [1, 1, 1])
  t.equal(state.generation, 1)
})

t.test('other errors are rethrown without replacing the resource', async t => {
  const { recovery, state } = resource()
  await t.rejects(
    recovery.retry(async () => {
      throw new RangeError('Wrong')
    }),
    RangeError,
  )
  t.equal(state.generation, 0)
})

t.test('the next operation retries a failed replacement', async t => {
  const { recovery, state, use } = resource({ failures: 2 })
  await t.rejects(recovery.retry(use), { message: 'Not yet' })
  await t.rejects(recovery.run(use), { message: 'Not yet' })
  t.equal(await recovery.run(use), 1)
  t.equal(state.generation, 1)
})

t.test('a replacement waits for running operations, and delays new ones', async t => {
  const { recovery, use } = resource()
  const running = recovery.run(use)
  const replaced = recovery.replace(new Broken())
  const waiting = recovery.run(use)
  await t.rejects(running, { message: 'Broken' })
  await replaced
  t.equal(await waiting, 1)
})

t.test('finish runs the final operation after all others have ended', async t => {
  const { recovery, state } = resource()
  state.generation = 1
  let done = false
  const running = recovery.run(async () => {
    await new Promise(setImmediate)
    done = true
  })
  await recovery.finish(async () => {
    t.ok(done)
  })
  await running
})

t.test('finish skips the final operation if the resource could not be replaced', async t => {
  const { recovery } = resource({ failures: 1 })
  const replacing = recovery.replace(new Broken())
  const finished = recovery.finish(async () => {
    t.fail('the resource is not usable')
  })
  await t.rejects(replacing, { message: 'Not yet' })
  await finished
})
