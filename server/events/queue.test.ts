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

/** A store whose commits a test ends one by one, once it has held it back. */
function heldStore() {
  const commits: string[][] = []
  const waiting: { finish: () => void; fail: (reason: unknown) => void }[] = []
  let begun = () => {}
  let held = true
  return {
    commits,
    async append(events: readonly NewEvent[]): Promise<LogEvent[]> {
      commits.push(events.map(({ body }) => body))
      if (held) {
        await new Promise<void>((finish, fail) => {
          waiting.push({ finish, fail })
          begun()
        })
      }
      return events.map((each, id) => ({ ...each, id }))
    },
    /** The next commit that is under way. */
    async next() {
      while (waiting.length === 0)
        await new Promise<void>(resolve => {
          begun = resolve
        })
      const commit = waiting.shift()
      if (commit === undefined) throw new Error('No commit is under way')
      return commit
    },
    release() {
      held = false
      for (const { finish } of waiting.splice(0)) finish()
    },
  }
}

function queue(options: Partial<QueueOptions> = {}) {
  const store = heldStore()
  const told: string[] = []
  const logger = pino({}, { write: line => told.push(JSON.parse(line).msg) })
  const events = createEvents({ store, logger, ownGatherMs: 1, ...options })
  return { store, events, told }
}

t.test('an acceptor is answered after the commit, and those who come meanwhile share the next', async t => {
  const { store, events } = queue()
  const answered: string[] = []
  const accept = (body: string) => events.accept([event(body)], 10).then(() => answered.push(body))
  const all = [accept('a')]
  const first = await store.next()
  all.push(accept('b'), accept('c'))
  t.same(answered, [])
  first.finish()
  const second = await store.next()
  t.same(answered, ['a'])
  second.finish()
  await Promise.all(all)
  t.same(store.commits, [['a'], ['b', 'c']])
  t.match(events.counts(), { accepted: 3, refused: 0, dropped: 0 })
  await events.close()
})

t.test('a full queue keeps nothing of what it refuses', async t => {
  const { store, events } = queue({ maxEvents: 3 })
  const first = events.accept([event('a'), event('b')], 10)
  await t.rejects(events.accept([event('c'), event('d')], 10), QueueFullError)
  const last = events.accept([event('e')], 10)
  store.release()
  await Promise.all([first, last])
  t.same(store.commits.flat(), ['a', 'b', 'e'])
  t.match(events.counts(), { accepted: 3, refused: 2 })
  await events.close()
})

t.test(
  'the queue is bounded in bytes too; one request that is larger than it is taken when it is empty',
  async t => {
    const { store, events } = queue({ maxBytes: 100 })
    const large = events.accept([event('large')], 1000)
    await t.rejects(events.accept([event('small')], 1), QueueFullError)
    store.release()
    await large
    await events.accept([event('small')], 1)
    t.same(store.commits.flat(), ['large', 'small'])
    await events.close()
  },
)

t.test('own events leave room for others, and what finds none is counted', async t => {
  const { store, events } = queue({ maxEvents: 4 })
  for (const body of ['a', 'b', 'c', 'd']) events.enqueueBestEffort(event(body, 'own'), 1)
  t.equal(events.counts().dropped, 2)
  const accepted = events.accept([event('e'), event('f')], 1)
  store.release()
  await accepted
  t.same(store.commits, [['a', 'b', 'e', 'f']])
  await events.close()
})

t.test('own events alone are committed too, together', async t => {
  const { store, events } = queue()
  const committed = new Promise(resolve => events.onCommit(resolve))
  events.enqueueBestEffort(event('a', 'own'), 1)
  events.enqueueBestEffort(event('b', 'own'), 1)
  store.release()
  t.match(await committed, [{ body: 'a' }, { body: 'b' }])
  t.same(store.commits, [['a', 'b']])
  await events.close()
})

t.test('an outage rejects those who wait, is told once, and its end too', async t => {
  const { store, events, told } = queue()
  const outage = new Error('No space is left')
  for (const body of ['a', 'b']) {
    const lost = events.accept([event(body)], 1)
    events.enqueueBestEffort(event('own', 'own'), 1)
    const failed = t.rejects(lost, outage)
    ;(await store.next()).fail(outage)
    await failed
  }
  t.same(told, ['Failed to store events'])
  t.match(events.counts(), { accepted: 0, dropped: 2 })
  store.release()
  await events.accept([event('c')], 1)
  t.same(told, ['Failed to store events', 'Events are stored again'])
  t.match(events.counts(), { accepted: 1, dropped: 2 })
  await events.close()
})

t.test('who listens hears of each commit until it stops, and can break nothing', async t => {
  const { store, events, told } = queue()
  store.release()
  const heard: (string | undefined)[] = []
  events.onCommit(() => {
    throw new Error('A listener fails')
  })
  const stop = events.onCommit(kept => heard.push(...kept.map(({ body }) => body)))
  await events.accept([event('a')], 1)
  stop()
  await events.accept([event('b')], 1)
  t.same(heard, ['a'])
  t.same(told, ['Commit listener failed', 'Commit listener failed'])
  await events.close()
})

t.test('closing commits what waits and takes no more', async t => {
  const { store, events } = queue({ gatherMs: 60_000, ownGatherMs: 60_000 })
  store.release()
  const accepted = events.accept([event('a')], 1)
  events.enqueueBestEffort(event('b', 'own'), 1)
  await events.close()
  await accepted
  t.same(store.commits, [['a', 'b']])
  await t.rejects(events.accept([event('c')], 1), QueueFullError)
  events.enqueueBestEffort(event('d', 'own'), 1)
  t.match(events.counts(), { accepted: 2, refused: 1, dropped: 1 })
})

t.test('nothing accepted is asked of the store in vain', async t => {
  const { store, events } = queue()
  await events.accept([], 0)
  await events.close()
  t.same(store.commits, [])
})

t.test('whatever comes in whatever order, what was acknowledged was committed once, in order', async () => {
  const step = fc.oneof(
    fc.record({ accept: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ offer: fc.constant(true) }),
    fc.record({ wait: fc.constant(true) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
      const { store, events } = queue({ gatherMs: 0, maxEvents: 12 })
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
        } else if ('offer' in each) events.enqueueBestEffort(event('own', 'own'), 1)
        else await Promise.all(pending)
      }
      await events.close()
      await Promise.all(pending)
      const committed = store.commits.flat()
      const { accepted, dropped, refused } = events.counts()
      const asked = steps.reduce(
        (sum, each) => sum + ('accept' in each ? each.accept : 'offer' in each ? 1 : 0),
        0,
      )
      return (
        JSON.stringify(committed.filter(body => body !== 'own')) === JSON.stringify(acknowledged) &&
        accepted === committed.length &&
        accepted + dropped + refused === asked
      )
    }),
  )
})

t.test(
  'a request that is repeated is kept once: while it is under way, after it, and after a restart',
  async t => {
    const { store, events } = queue({ requestKeys: ['before'] })
    const first = events.accept([event('a')], 10, 'one')
    const commit = await store.next()
    const again = events.accept([event('a')], 10, 'one')
    commit.finish()
    await Promise.all([first, again])
    store.release()
    await events.accept([event('a')], 10, 'one')
    await events.accept([event('b')], 10, 'before')
    await events.accept([event('a')], 10, 'two')
    t.same(store.commits, [['a'], ['a']])
  },
)

t.test('a request that could not be kept is no repetition when it comes again', async t => {
  const { store, events } = queue()
  const first = events.accept([event('a')], 10, 'one')
  const failing = await store.next()
  failing.fail(new Error('The disk is full'))
  await t.rejects(first, /disk/)
  store.release()
  await events.accept([event('a')], 10, 'one')
  t.same(store.commits, [['a'], ['a']])
})
