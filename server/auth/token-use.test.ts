import t from 'tap'
import { fakeContext } from '../testing/fake-context.ts'
import { startTokenUse } from './token-use.ts'

t.test('stores the latest use of each token, and tries again after a failure', async t => {
  const stored: [string, number][] = []
  let isFailing = false
  let nowMs = 1
  const store = {
    recordUse: async (usedMs: ReadonlyMap<string, number>) => {
      if (isFailing) throw new Error('The disk is full')
      stored.push(...usedMs)
    },
  }
  const use = startTokenUse(store, fakeContext().logger, () => nowMs)
  await use.flush()
  t.same(stored, [], 'no write without use')
  use.record({ id: 'a' })
  use.record({ id: 'b' })
  nowMs = 2
  use.record({ id: 'a' })
  await use.flush()
  t.same(stored.splice(0), [
    ['a', 2],
    ['b', 1],
  ])
  isFailing = true
  use.record({ id: 'a' })
  await use.flush()
  nowMs = 3
  isFailing = false
  await use.stop()
  t.same(stored, [['a', 2]])
})
