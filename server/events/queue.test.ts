import fc from 'fast-check'
import { pino } from 'pino'
import t from 'tap'
import type { LogEvent, NewEvent } from '../../shared/event.ts'
import { QueueFullError } from './events.ts'
import { createEvents, type QueueOptions } from './queue.ts'

function event(body: string, source: NewEvent['source'] = 'ndjson'): NewEvent {
  const none = { release: null, requestId: null, traceId: null, spanId: null, method: null, route: null }
  const rest = { status: null, durationMs: null, exception: null, digest: null, fingerprint: null }
  return { timeMs: 0, severity: 'info', service: 'a', source, body, attributes: {}, ...none, ...rest }
}

/** A store that pauses each commit until the test continues it or calls `release`. */
function pausedStore() {
  const commits: string[][] = []
  const waiting: { finish: () => void; fail: (reason: unknown) => void }[] = []
  let onStarted = () => {}
  let isPaused = true
  const storedKeys = new Set<string>()
  return {
    commits,
    storedKeys,
    async claimRequests(keys: readonly string[]) {
      return keys.map(key => (key === 'elsewhere' ? 'busy' : storedKeys.has(key) ? 'stored' : 'new'))
    },
    async append(events: readonly NewEvent[], keys: readonly string[] = []): Promise<LogEvent[]> {
      commits.push(events.map(({ body }) => body))
      if (isPaused) {
        await new Promise<void>((finish, fail) => {
          waiting.push({ finish, fail })
          onStarted()
        })
      }
      for (const key of keys) storedKeys.add(key)
      return events.map((each, id) => ({ ...each, id }))
    },
    /** The next commit in progress. */
    async next() {
      while (waiting.length === 0)
        await new Promise<void>(resolve => {
          onStarted = resolve
        })
      const commit = waiting.shift()
      if (commit === undefined) throw new Error('No commit is in progress')
      return commit
    },
    release() {
      isPaused = false
      for (const { finish } of waiting.splice(0)) finish()
    },
  }
}

function queue(options: Partial<QueueOptions> = {}) {
  const store = pausedStore()
  const messages: string[] = []
  const logger = pino({}, { write: line => messages.push(JSON.parse(line).msg) })
  const events = createEvents({ store, logger, selfLogBatchMs: 1, ...options })
  return { store, events, messages }
}

t.test('accept resolves after the commit; events queued during a commit share the next batch', async t => {
  const { store, events } = queue()
  const resolved: string[] = []
  const accept = (body: string) => events.accept([event(body)], 10).then(() => resolved.push(body))
  const all = [accept('a')]
  const first = await store.next()
  all.push(accept('b'), accept('c'))
  t.same(resolved, [])
  first.finish()
  const second = await store.next()
  t.same(resolved, ['a'])
  second.finish()
  await Promise.all(all)
  t.same(store.commits, [['a'], ['b', 'c']])
  t.match(events.counts(), { accepted: 3, rejected: 0, dropped: 0 })
  await events.close()
})

t.test('a full queue rejects all events in a request', async t => {
  const { store, events } = queue({ maxEvents: 3 })
  const first = events.accept([event('a'), event('b')], 10)
  await t.rejects(events.accept([event('c'), event('d')], 10), QueueFullError)
  const last = events.accept([event('e')], 10)
  store.release()
  await Promise.all([first, last])
  t.same(store.commits.flat(), ['a', 'b', 'e'])
  t.match(events.counts(), { accepted: 3, rejected: 2 })
  await events.close()
})

t.test('the queue also has a size limit, but an empty queue accepts a request over the limit', async t => {
  const { store, events } = queue({ maxBytes: 100 })
  const large = events.accept([event('large')], 1000)
  await t.rejects(events.accept([event('small')], 1), QueueFullError)
  store.release()
  await large
  await events.accept([event('small')], 1)
  t.same(store.commits.flat(), ['large', 'small'])
  await events.close()
})

t.test('self-log events use at most half of the queue, and dropped events are counted', async t => {
  const { store, events } = queue({ maxEvents: 4 })
  for (const body of ['a', 'b', 'c', 'd']) events.enqueueBestEffort(event(body, 'own'), 1)
  t.equal(events.counts().dropped, 2)
  const accepted = events.accept([event('e'), event('f')], 1)
  store.release()
  await accepted
  t.same(store.commits, [['a', 'b', 'e', 'f']])
  await events.close()
})

t.test('self-log events are committed together, even if no request arrives', async t => {
  const { store, events } = queue()
  const committed = new Promise(resolve => events.onCommit(resolve))
  events.enqueueBestEffort(event('a', 'own'), 1)
  events.enqueueBestEffort(event('b', 'own'), 1)
  store.release()
  t.match(await committed, [{ body: 'a' }, { body: 'b' }])
  t.same(store.commits, [['a', 'b']])
  await events.close()
})

t.test('a store outage rejects waiting requests, and its start and end are each logged once', async t => {
  const { store, events, messages } = queue()
  const outage = new Error('No space is left')
  for (const body of ['a', 'b']) {
    const lost = events.accept([event(body)], 1)
    events.enqueueBestEffort(event('own', 'own'), 1)
    const failed = t.rejects(lost, outage)
    ;(await store.next()).fail(outage)
    await failed
  }
  t.same(messages, ['Failed to store events'])
  t.match(events.counts(), { accepted: 0, dropped: 2 })
  store.release()
  await events.accept([event('c')], 1)
  t.same(messages, ['Failed to store events', 'Resumed storing events'])
  t.match(events.counts(), { accepted: 1, dropped: 2 })
  await events.close()
})

t.test('commit listeners are called until they unsubscribe; their exceptions are logged', async t => {
  const { store, events, messages } = queue()
  store.release()
  const received: (string | undefined)[] = []
  events.onCommit(() => {
    throw new Error('A listener fails')
  })
  const stop = events.onCommit(committed => received.push(...committed.map(({ body }) => body)))
  await events.accept([event('a')], 1)
  stop()
  await events.accept([event('b')], 1)
  t.same(received, ['a'])
  t.same(messages, ['Failed to run a commit listener', 'Failed to run a commit listener'])
  await events.close()
})

t.test('close commits the queued events and rejects new ones', async t => {
  const { store, events } = queue({ batchMs: 60_000, selfLogBatchMs: 60_000 })
  store.release()
  const accepted = events.accept([event('a')], 1)
  events.enqueueBestEffort(event('b', 'own'), 1)
  await events.close()
  await accepted
  t.same(store.commits, [['a', 'b']])
  await t.rejects(events.accept([event('c')], 1), QueueFullError)
  events.enqueueBestEffort(event('d', 'own'), 1)
  t.match(events.counts(), { accepted: 2, rejected: 1, dropped: 1 })
})

t.test('accept does not call the store if there are no events', async t => {
  const { store, events } = queue()
  await events.accept([], 0)
  await events.close()
  t.same(store.commits, [])
})

t.test('property: acknowledged events are committed once, in order', async () => {
  const step = fc.oneof(
    fc.record({ accept: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ bestEffort: fc.constant(true) }),
    fc.record({ wait: fc.constant(true) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
      const { store, events } = queue({ batchMs: 0, maxEvents: 12 })
      store.release()
      const acknowledged: string[] = []
      const pending: Promise<unknown>[] = []
      for (const [index, each] of steps.entries()) {
        if ('accept' in each) {
          const bodies = Array.from({ length: each.accept }, (_, n) => `${index}.${n}`)
          const accepting = events.accept(
            bodies.map(body => event(body)),
            1,
          )
          pending.push(
            accepting.then(
              () => acknowledged.push(...bodies),
              () => {},
            ),
          )
        } else if ('bestEffort' in each) events.enqueueBestEffort(event('own', 'own'), 1)
        else await Promise.all(pending)
      }
      await events.close()
      await Promise.all(pending)
      const committed = store.commits.flat()
      const { accepted, dropped, rejected } = events.counts()
      const total = steps.reduce(
        (sum, each) => sum + ('accept' in each ? each.accept : 'bestEffort' in each ? 1 : 0),
        0,
      )
      return (
        JSON.stringify(committed.filter(body => body !== 'own')) === JSON.stringify(acknowledged) &&
        accepted === committed.length &&
        accepted + dropped + rejected === total
      )
    }),
  )
})

t.test('a request repeated during the first attempt or after a restart is stored once', async t => {
  const { store, events } = queue()
  store.storedKeys.add('before')
  const first = events.accept([event('a')], 10, 'one')
  const commit = await store.next()
  const repeated = events.accept([event('a')], 10, 'one')
  commit.finish()
  await Promise.all([first, repeated])
  store.release()
  await events.accept([event('a')], 10, 'one')
  await events.accept([event('b')], 10, 'before')
  await events.accept([event('a')], 10, 'two')
  t.same(store.commits, [['a'], ['a']])
})

t.test(
  'rejects only the request that another replica may be storing, and acknowledges a request that is stored',
  async t => {
    const { store, events } = queue()
    store.storedKeys.add('before')
    const busy = events.accept([event('a')], 10, 'elsewhere')
    const stored = events.accept([event('b')], 10, 'before')
    const others = [events.accept([event('c')], 10, 'new'), events.accept([event('d')], 10)]
    store.release()
    await t.rejects(busy, /Another replica/)
    await Promise.all([stored, ...others])
    t.same(store.commits, [['c', 'd']])
    t.equal(events.counts().accepted, 2)
  },
)

t.test('a request can be retried if its events could not be stored', async t => {
  const { store, events } = queue()
  const first = events.accept([event('a')], 10, 'one')
  const failing = await store.next()
  failing.fail(new Error('The disk is full'))
  await t.rejects(first, /disk/)
  store.release()
  await events.accept([event('a')], 10, 'one')
  t.same(store.commits, [['a'], ['a']])
})
