import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { createResponseCache } from './response-cache.ts'

const never = new AbortController().signal

type Work = (key: string, signal: AbortSignal) => Promise<string | number>

/** Creates a cache. The test controls its work, clock and version. */
function start(work: Work, { maxAgeMs = 60_000, maxEntries = 10 } = {}) {
  const state = { work, version: 1, nowMs: 0 }
  const cache = createResponseCache<{ key: string; signal: AbortSignal }, string | number>({
    respond: ({ key }, signal) => state.work(key, signal),
    version: () => state.version,
    nowMs: () => state.nowMs,
    maxAgeMs,
    maxEntries,
  })
  const get = (key: string, signal: AbortSignal) => cache.get(key, () => ({ key, signal }))
  return { cache: { ...cache, get }, state }
}

t.test('identical requests share one response while the work is in progress and afterwards', async t => {
  let count = 0
  const { cache } = start(async () => ++count)
  t.same(await Promise.all([cache.get('a', never), cache.get('a', never), cache.get('b', never)]), [1, 1, 2])
  t.equal(await cache.get('a', never), 1)
  t.equal(cache.sizeEntries(), 2)
})

t.test('a new version invalidates the cached response', async t => {
  const { cache, state } = start(async () => state.version)
  t.equal(await cache.get('a', never), 1)
  state.version = 2
  t.equal(await cache.get('a', never), 2)
})

t.test('work that started before a new version is not shared with later requests', async t => {
  let finish = (_: number) => {}
  const { cache, state } = start(() => new Promise(resolve => (finish = resolve)))
  const early = cache.get('a', never)
  state.version = 2
  state.work = async () => 2
  const late = cache.get('a', never)
  finish(1)
  t.same(await Promise.all([early, late]), [1, 2])
  state.work = async () => 3
  t.equal(await cache.get('a', never), 2, 'the stale response does not replace the newer one')
})

t.test(
  'requests that arrive during outdated work share one response, produced after that work ends',
  async t => {
    const started: number[] = []
    const finish: (() => void)[] = []
    const { cache, state } = start(() => {
      const { version } = state
      started.push(version)
      return new Promise(resolve => finish.push(() => resolve(version)))
    })
    const first = cache.get('a', never)
    state.version = 2
    const second = cache.get('a', never)
    state.version = 3
    const third = cache.get('a', never)
    t.same(started, [1])
    finish[0]?.()
    t.equal(await first, 1)
    await nextTurn()
    t.same(started, [1, 3])
    finish[1]?.()
    t.same(await Promise.all([second, third]), [3, 3])
  },
)

t.test('work that waits for outdated work starts even if the outdated work fails or is aborted', async t => {
  for (const end of ['fail', 'abort'] as const) {
    const abort = new AbortController()
    const { cache, state } = start(
      (_, signal) =>
        new Promise((_, reject) => {
          if (end === 'fail') setImmediate(() => reject(new Error('failed')))
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    )
    const first = cache.get('a', abort.signal)
    const failed = t.rejects(first)
    state.version = 2
    state.work = async () => 2
    const second = cache.get('a', never)
    if (end === 'abort') abort.abort(new Error('aborted'))
    t.equal(await second, 2)
    await failed
  }
})

t.test('waiting work does not start if its requests are aborted', async t => {
  let finish = (_: number) => {}
  const abort = new AbortController()
  const { cache, state } = start(() => new Promise(resolve => (finish = resolve)))
  const first = cache.get('a', never)
  state.version = 2
  state.work = () => Promise.reject(new Error('The work was started'))
  const aborted = t.rejects(cache.get('a', abort.signal), { message: 'aborted' })
  abort.abort(new Error('aborted'))
  await aborted
  finish(1)
  t.equal(await first, 1)
  state.work = async () => 3
  t.equal(await cache.get('a', never), 3)
})

t.test('a request waits for outdated work even if an earlier waiting request was aborted', async t => {
  let running = 0
  let maxRunning = 0
  const finish: (() => void)[] = []
  const abort = new AbortController()
  const { cache, state } = start(async () => {
    running += 1
    maxRunning = Math.max(maxRunning, running)
    await new Promise<void>(resolve => finish.push(resolve))
    running -= 1
    return state.version
  })
  const first = cache.get('a', never)
  state.version = 2
  const aborted = t.rejects(cache.get('a', abort.signal))
  abort.abort(new Error('aborted'))
  await aborted
  const third = cache.get('a', never)
  await nextTurn()
  finish[0]?.()
  await first
  await nextTurn()
  finish[1]?.()
  t.equal(await third, 2)
  t.equal(maxRunning, 1)
})

t.test('a cached response expires after its maximum age', async t => {
  let count = 0
  const { cache, state } = start(async () => ++count, { maxAgeMs: 1000 })
  await cache.get('a', never)
  state.nowMs = 999
  t.equal(await cache.get('a', never), 1)
  state.nowMs = 1000
  t.equal(await cache.get('a', never), 2)
})

t.test(
  'the age is measured from when the response is ready, even if the work takes longer than the maximum age',
  async t => {
    let count = 0
    let finish = () => {}
    const { cache, state } = start(
      () =>
        new Promise(resolve => {
          count += 1
          finish = () => resolve(count)
        }),
      { maxAgeMs: 1000 },
    )
    const first = cache.get('a', never)
    state.nowMs = 5000
    const second = cache.get('a', never)
    finish()
    t.same(await Promise.all([first, second]), [1, 1])
    state.nowMs = 5999
    t.equal(await cache.get('a', never), 1)
  },
)

t.test('a failure reaches every waiting request and is not cached', async t => {
  const { cache, state } = start(async () => {
    throw new Error('no')
  })
  const both = await Promise.allSettled([cache.get('a', never), cache.get('a', never)])
  t.same(
    both.map(each => each.status),
    ['rejected', 'rejected'],
  )
  state.work = async () => 7
  t.equal(await cache.get('a', never), 7)
})

t.test('the oldest entry is evicted when the cache is full', async t => {
  const { cache, state } = start(async name => name, { maxEntries: 2 })
  for (const key of ['a', 'b', 'c']) await cache.get(key, never)
  t.equal(cache.sizeEntries(), 2)
  state.work = async () => 'new'
  t.equal(await cache.get('a', never), 'new')
})

t.test('the work is aborted when the last waiting request is aborted, not before', async t => {
  let workSignal = never
  const { cache, state } = start(
    (_name, signal) =>
      new Promise((_resolve, reject) => {
        workSignal = signal
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  const first = new AbortController()
  const second = new AbortController()
  const firstWait = cache.get('a', first.signal).then(() => {})
  const secondWait = cache.get('a', second.signal).then(() => {})
  first.abort(new Error('first aborted'))
  await t.rejects(firstWait, { message: 'first aborted' })
  t.equal(workSignal.aborted, false)
  second.abort(new Error('second aborted'))
  await t.rejects(secondWait, { message: 'second aborted' })
  t.equal(workSignal.aborted, true)
  state.work = async () => 'new'
  t.equal(await cache.get('a', never), 'new')
})

t.test('a request that is already aborted does not start work', async t => {
  let isStarted = false
  const { cache } = start(async () => {
    isStarted = true
    return ''
  })
  await t.rejects(cache.get('a', AbortSignal.abort(new Error('gone'))), { message: 'gone' })
  t.equal(isStarted, false)
})
