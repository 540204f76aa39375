import t, { type Test } from 'tap'
import { addressOf, startClickHouse } from '../../../scripts/test/clickhouse.ts'
import { fieldEquals, type Query } from '../../../shared/query.ts'
import { idAt } from '../common/time.ts'
import { anEvent, findMessages, noonMs, testWindow } from '../conformance/testing.ts'
import type { Store } from '../store.ts'
import { openClickHouseStore } from './store.ts'

/** ClickHouse limits each value in the URL or in a form to 128 KiB. The test server has the same limit. */
const server = await startClickHouse(t)
let databases = 0

async function open(t: Test): Promise<Store> {
  databases += 1
  const address = addressOf(server, `long_${process.pid}_${databases}`)
  const store = await openClickHouseStore(address, { nowMs: () => noonMs })
  t.teardown(store.close)
  return store
}

function numbered(count: number, write: (number: string) => string): string[] {
  return Array.from({ length: count }, (_, index) => write(String(index).padStart(12, '0')))
}

t.test('searches for more than a hundred words', async t => {
  const store = await open(t)
  await store.append([anEvent({ body: 'Basket word-000000000119 opened' }), anEvent()])
  // The statement is longer than the limit.
  const words = numbered(120, number => `word-${number}`).map((text): Query => ({ kind: 'text', text }))
  const anyWord = words.reduce((left, right) => ({ kind: 'or', left, right }))
  t.same(await findMessages(store, anyWord), ['Basket word-000000000119 opened'])
})

t.test('works with more than ten thousand muted fingerprints', async t => {
  const store = await open(t)
  const muted = numbered(11_000, number => `f${number}`)
  const [id = '', last = ''] = [muted[0], muted.at(-1)]
  await store.sharedState(({ failureIds }) => {
    for (const fingerprint of muted) failureIds.set(fingerprint, id)
  })
  await store.failureStates.setState(id, 'muted', noonMs)
  await store.append([
    anEvent({ body: 'muted', fingerprint: last }),
    anEvent({ body: 'open', fingerprint: 'f00dfeed01' }),
  ])
  t.same(await findMessages(store, fieldEquals('failure', 'open')), ['open'])
  t.same(await findMessages(store, fieldEquals('failure', 'muted')), ['muted'])
  t.same(await findMessages(store, fieldEquals('failure', id)), ['muted'])
  t.match(await store.services(testWindow, 60_000), [{ service: 'shop', events: 2, failures: 1 }])
  t.match(await store.failureCounts(testWindow), { open: { failures: 1 }, muted: { failures: 1 } })
})

t.test('claims thousands of requests', async t => {
  const store = await open(t)
  const keys = numbered(5000, number => `a long idempotency key: ${number}`)
  t.same(new Set(await store.claimRequests(keys)), new Set(['new']))
  await store.append([anEvent()], keys)
  t.same(new Set(await store.claimRequests(keys)), new Set(['stored']))
})

t.test('changes the fingerprints of thousands of imported events', async t => {
  const store = await open(t)
  const events = Array.from({ length: 7500 }, (_, index) => ({
    ...anEvent({ fingerprint: 'f00dfeed01' }),
    id: idAt(noonMs) + index,
  }))
  await store.importEvents(events)
  const changed = events.map(event => ({ ...event, fingerprint: 'f00dfeed02' }))
  t.same(await store.importEvents(changed), { stored: 0, regrouped: 7500 })
  const ids = { afterId: -1, upToId: Number.MAX_SAFE_INTEGER }
  t.same(
    new Set((await store.eventsInIds(ids)).map(({ fingerprint }) => fingerprint)),
    new Set(['f00dfeed02']),
  )
})
