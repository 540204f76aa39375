import type { Test } from 'tap'
import { StoreUnavailableError } from '../store.ts'
import {
  allEvents,
  anEvent,
  findMessages,
  type MakeLocation,
  noonMs,
  openStore,
  testWindow,
} from './testing.ts'

/** Tests aborted queries, query statistics and closed stores. */
export async function lifecycle(t: Test, make: MakeLocation): Promise<void> {
  await t.test('an aborted query rejects and frees its connection', async t => {
    const store = await openStore(t, make)
    await store.append(Array.from({ length: 2000 }, () => anEvent()))
    // Loads the engine's state first. Otherwise, the queries could be aborted while they wait for the state.
    await store.settings.list()
    const reason = new Error('The visitor left')
    await t.rejects(store.services(testWindow, 60_000, AbortSignal.abort(reason)), reason)

    const controller = new AbortController()
    const query = () =>
      store.histogram({ window: testWindow, query: { kind: 'text', text: 'x' } }, 60_000, controller.signal)
    const results = Array.from({ length: 10 }, query)
    controller.abort(reason)
    for (const result of results) await t.rejects(result, reason)
    t.equal((await findMessages(store, allEvents)).length, 1000, 'other queries still work')
  })

  await t.test('stats contain the number and total duration of queries', async t => {
    const store = await openStore(t, make)
    const before = await store.stats()
    await store.requestSeries({ window: testWindow, service: null }, 60_000)
    const after = await store.stats()
    t.equal(after.queries, before.queries + 1)
    t.ok(after.queriesMs > before.queriesMs)
  })

  await t.test('a closed store rejects all calls', async t => {
    const store = await make(t).open()
    await store.close()
    await t.rejects(store.retain({ maxAgeMs: 1, maxBytes: 1 }, noonMs), StoreUnavailableError)
    await t.rejects(store.seenSources(), StoreUnavailableError)
    await t.rejects(store.settings.list(), StoreUnavailableError)
    await t.rejects(store.settings.save([], noonMs), StoreUnavailableError)
  })
}
