import t from 'tap'
import { sql } from '../../common/sql.ts'
import { anEvent } from '../../conformance/testing.ts'
import { createRecentEvents } from './recent-events.ts'
import { createResultCache } from './result-cache.ts'
import type { Segment } from './segments.ts'

function start() {
  const recentEvents = createRecentEvents(0)
  const segment: Segment = {
    name: 'events_0',
    path: '',
    identity: { device: 0, inode: 0 },
    events: 0,
    fromUs: 0,
    toUs: 0,
    firstId: 0,
    lastId: 0,
    lastFailureId: 0,
    revision: 0,
    hasSummaries: false,
  }
  let runs = 0
  const cache = createResultCache({
    run: async () => ++runs,
    bytesOf: () => 1,
    maxBytes: 10_000,
    segments: () => [segment],
    recentEvents,
  })
  const commit = (...bodies: string[]) => {
    recentEvents.add(bodies.map((body, index) => ({ ...anEvent({ body }), id: segment.lastId + 1 + index })))
    segment.lastId += bodies.length
  }
  return { cache, commit, segment }
}

const query = sql`SELECT 1`

t.test('repeats a query after each event, or only after events that affectedBy selects', async t => {
  const { cache, commit } = start()
  const hasCart = ({ body }: { body: string }) => body === 'cart'
  t.equal(await cache.query(query, hasCart), 1)
  commit('home')
  t.equal(await cache.query(query, hasCart), 1)
  commit('home', 'cart')
  t.equal(await cache.query(query, hasCart), 2)
  t.equal(await cache.query(query), 2)
  commit('home')
  t.equal(await cache.query(query), 3)
})

t.test('repeats a query if the new events are not in memory', async t => {
  const { cache, commit } = start()
  const never = () => false
  t.equal(await cache.query(query, never), 1)
  commit(...Array.from({ length: 101 }, () => 'home'))
  t.equal(await cache.query(query, never), 2)
})

t.test('repeats a query after a change to stored events, failures or the workspace', async t => {
  const { cache, commit, segment } = start()
  t.equal(await cache.query(query, 'failures'), 1)
  commit(...Array.from({ length: 101 }, () => 'home'))
  t.equal(await cache.query(query, 'failures'), 1)
  segment.lastFailureId = segment.lastId
  t.equal(await cache.query(query, 'failures'), 2)
  segment.revision += 1
  t.equal(await cache.query(query, 'failures'), 3)
  cache.countWorkspaceChange()
  t.equal(await cache.query(query, 'failures'), 4)
})

t.test('small results fill the cache too, because each entry takes memory', async t => {
  const { cache } = start()
  t.equal(await cache.query(query), 1)
  for (let other = 2; other <= 1000; other++) await cache.query(sql`SELECT ${other}`)
  t.equal(await cache.query(query), 1001)
  t.equal(await cache.query(sql`SELECT ${1000}`), 1000, 'the newest results are still cached')
})

t.test('simultaneous callers share a query, unless a commit separates them', async t => {
  const { cache, commit } = start()
  const before = [cache.query(query), cache.query(query)]
  commit('home')
  t.same(await Promise.all([...before, cache.query(query)]), [1, 1, 2])
})
