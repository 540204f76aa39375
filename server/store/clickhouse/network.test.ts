import t, { type Test } from 'tap'
import { addressOf, startClickHouse } from '../../../scripts/test/clickhouse.ts'
import { startCutProxy } from '../../../scripts/test/cut-proxy.ts'
import { allEvents, anEvent, noonMs, testWindow } from '../conformance/testing.ts'
import { StoreUnavailableError } from '../store.ts'
import { openClickHouseStore } from './store.ts'

const server = await startClickHouse(t)
let databases = 0

/** A store whose connection to the server can be cut. */
async function open(t: Test) {
  const proxy = await startCutProxy(t, server)
  databases += 1
  const url = new URL(server)
  url.host = proxy.origin
  const address = addressOf(url, `network_${process.pid}_${databases}`)
  const store = await openClickHouseStore(address, { nowMs: () => noonMs })
  t.teardown(store.close)
  const bodies = async () => {
    const { events } = await store.events({ window: testWindow, query: allEvents, limit: 10 })
    return events.map(({ body }) => body).sort()
  }
  return { proxy, store, bodies }
}

t.test("events are stored once if the server's response is lost", async t => {
  const { proxy, store, bodies } = await open(t)
  const isCut = proxy.cutResponseOf(/^INSERT INTO event/)
  t.same(await store.claimRequests(['request-1']), ['new'])
  await store.append([anEvent({ body: 'one' }), anEvent({ body: 'two' })], ['request-1'])
  await isCut
  t.same(await bodies(), ['one', 'two'])
  t.same(await store.claimRequests(['request-1']), ['stored'])
})

t.test("a change is stored once if the server's response is lost", async t => {
  const { proxy, store } = await open(t)
  const isCut = proxy.cutResponseOf(/^INSERT INTO record/)
  await store.settings.save([{ name: 'logLevel', value: 'debug' }], noonMs)
  await isCut
  t.same(await store.settings.list(), [{ name: 'logLevel', value: 'debug', changedMs: noonMs }])
})

t.test('acknowledges nothing while the server cannot be reached, and works again afterwards', async t => {
  const { proxy, store, bodies } = await open(t)
  await store.append([anEvent({ body: 'before' })])
  proxy.cutAll()
  await t.rejects(store.append([anEvent({ body: 'lost' })]), StoreUnavailableError)
  await t.rejects(store.settings.save([{ name: 'logLevel', value: 'debug' }], noonMs), StoreUnavailableError)
  await t.rejects(bodies(), StoreUnavailableError)
  await t.rejects(store.check(), { name: 'StoreUnavailableError', message: /cannot be reached/ })
  proxy.restore()
  await store.append([anEvent({ body: 'after' })])
  t.same(await bodies(), ['after', 'before'])
  t.same(await store.settings.list(), [])
})

const temporaryErrors = {
  164: 'READONLY',
  203: 'NO_FREE_CONNECTION',
  225: 'NO_ZOOKEEPER',
  236: 'ABORTED',
  394: 'QUERY_WAS_CANCELLED',
  439: 'CANNOT_SCHEDULE_TASK',
  499: 'S3_ERROR',
  745: 'SERVER_OVERLOADED',
}

t.test(
  'after a temporary server error, queries fail with StoreUnavailableError, and inserts are retried',
  async t => {
    const { proxy, store, bodies } = await open(t)
    for (const [code, name] of Object.entries(temporaryErrors)) {
      const error = { code: Number(code), message: `A problem with ${name}. (${name})` }
      proxy.refuse(/SELECT.*body/s, error)
      await t.rejects(bodies(), { name: 'StoreUnavailableError', message: new RegExp(name) })
      proxy.refuse(/^INSERT INTO event/, error, 1)
      await store.append([anEvent({ body: name })])
      proxy.restore()
    }
    t.same(await bodies(), Object.values(temporaryErrors).sort())
  },
)

t.test('an aborted query is not reported as a server error', async t => {
  const { proxy, store } = await open(t)
  const reader = new AbortController()
  proxy.refuse(/SELECT.*body/s, { code: 394, message: 'Query was cancelled. (QUERY_WAS_CANCELLED)' })
  const reading = store.events({ window: testWindow, query: allEvents, limit: 10 }, reader.signal)
  reader.abort()
  await t.rejects(reading, { name: 'AbortError' })
})

t.test('concurrent reads neither fail nor see a change that cannot be stored', async t => {
  const { proxy, store } = await open(t)
  proxy.refuse(/^INSERT INTO record/, { code: 243, message: 'Not enough space. (NOT_ENOUGH_SPACE)' })
  const change = () => store.settings.save([{ name: 'logLevel', value: 'debug' }], noonMs)
  // The first call runs alone. The other three share their statements.
  const [, changed, read, changedAgain] = await Promise.allSettled([
    store.settings.list(),
    change(),
    store.settings.list(),
    change(),
  ])
  t.match(changed, {
    status: 'rejected',
    reason: { name: 'StoreUnavailableError', message: /disk .* is full/ },
  })
  t.match(changedAgain, { status: 'rejected' })
  t.same(read, { status: 'fulfilled', value: [] })
  proxy.restore()
  await change()
  t.match(await store.settings.list(), [{ name: 'logLevel', value: 'debug' }])
})
