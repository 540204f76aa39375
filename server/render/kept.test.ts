import t from 'tap'
import { createKept } from './kept.ts'

const never = new AbortController().signal

t.test('equal requests share one piece of work while it is under way', async t => {
  let made = 0
  const kept = createKept<number>({ version: () => 1, keptForMs: 60_000, most: 10 })
  const make = async () => {
    made += 1
    return made
  }
  t.same(
    await Promise.all([kept.get('a', make, never), kept.get('a', make, never), kept.get('b', make, never)]),
    [1, 1, 2],
  )
  t.equal(await kept.get('a', make, never), 1, 'and afterwards')
  t.match(kept.counts(), { hits: 2, misses: 2, entries: 2 })
})

t.test('a new version makes it anew', async t => {
  let version = 1
  const kept = createKept<number>({ version: () => version, keptForMs: 60_000, most: 10 })
  t.equal(await kept.get('a', async () => version, never), 1)
  version = 2
  t.equal(await kept.get('a', async () => version, never), 2)
})

t.test('work that began before a new version is not shared with who comes after it', async t => {
  let version = 1
  const kept = createKept<number>({ version: () => version, keptForMs: 60_000, most: 10 })
  let finish = (_: number) => {}
  const early = kept.get('a', () => new Promise(resolve => (finish = resolve)), never)
  version = 2
  const late = kept.get('a', async () => 2, never)
  finish(1)
  t.same(await Promise.all([early, late]), [1, 2])
  t.equal(await kept.get('a', async () => 3, never), 2, 'nor does it take the place of the newer')
})

t.test('nothing is kept past its time', async t => {
  let made = 0
  const kept = createKept<number>({ version: () => 1, keptForMs: 0, most: 10 })
  const make = async () => ++made
  await kept.get('a', make, never)
  t.equal(await kept.get('a', make, never), 2)
})

t.test('a failure reaches all who wait and is not kept', async t => {
  const kept = createKept<number>({ version: () => 1, keptForMs: 60_000, most: 10 })
  const fail = async () => {
    throw new Error('no')
  }
  const both = await Promise.allSettled([kept.get('a', fail, never), kept.get('a', fail, never)])
  t.same(
    both.map(each => each.status),
    ['rejected', 'rejected'],
  )
  t.equal(await kept.get('a', async () => 7, never), 7)
})

t.test('the oldest entry goes when there are too many', async t => {
  const kept = createKept<string>({ version: () => 1, keptForMs: 60_000, most: 2 })
  for (const key of ['a', 'b', 'c']) await kept.get(key, async () => key, never)
  t.equal(kept.counts().entries, 2)
  t.equal(await kept.get('a', async () => 'anew', never), 'anew')
})

t.test('the work stops when the last who waits has gone, not before', async t => {
  const kept = createKept<string>({ version: () => 1, keptForMs: 60_000, most: 10 })
  const work = { signal: never }
  const make = (signal: AbortSignal) =>
    new Promise<string>((_resolve, reject) => {
      work.signal = signal
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  const first = new AbortController()
  const second = new AbortController()
  const firstWait = kept.get('a', make, first.signal).then(() => {})
  const secondWait = kept.get('a', make, second.signal).then(() => {})
  first.abort(new Error('first left'))
  await t.rejects(firstWait, { message: 'first left' })
  t.equal(work.signal.aborted, false)
  second.abort(new Error('second left'))
  await t.rejects(secondWait, { message: 'second left' })
  t.equal(work.signal.aborted, true)
  t.equal(await kept.get('a', async () => 'anew', never), 'anew')
})

t.test('who has gone already starts nothing', async t => {
  const kept = createKept<string>({ version: () => 1, keptForMs: 60_000, most: 10 })
  let made = false
  const gone = AbortSignal.abort(new Error('gone'))
  const make = async () => {
    made = true
    return ''
  }
  await t.rejects(kept.get('a', make, gone), { message: 'gone' })
  t.equal(made, false)
})
