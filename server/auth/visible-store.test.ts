import t from 'tap'
import { allFailures, anEvent, noonMs } from '../store/conformance/testing.ts'
import { openMemoryStore } from '../store/memory/store.ts'
import { visibleStore } from './visible-store.ts'

const id = 'shared0001'

t.test('limited viewers see no notes, because notes can mention other services', async t => {
  const store = openMemoryStore({ nowMs: () => noonMs })
  const note = { id: 'n1', writtenMs: noonMs, text: 'caused by the invoices of billing' }
  await store.failureStates.addNote(id, note)
  t.same(await visibleStore(store, { services: null }).failureStates.notes(id), [note])
  t.same(await visibleStore(store, { services: ['shop'] }).failureStates.notes(id), [])
})

t.test('limited viewers do not see when the oldest event of all services occurred', async t => {
  const store = openMemoryStore({ nowMs: () => noonMs })
  await store.append([anEvent({ service: 'billing', timeMs: noonMs })])
  t.equal((await visibleStore(store, { services: null }).stats()).oldestMs, noonMs)
  t.equal((await visibleStore(store, { services: ['shop'] }).stats()).oldestMs, null)
})

t.test('limited viewers see no releases of other services in the state of a shared failure', async t => {
  const store = openMemoryStore({ nowMs: () => noonMs })
  const failed = { fingerprint: id, severity: 'error', timeMs: noonMs } as const
  await store.append([
    anEvent({ ...failed, service: 'shop', release: 'shop-1' }),
    anEvent({ ...failed, service: 'billing', release: 'billing-8' }),
  ])
  const statesFor = async (services: string[] | null) => {
    const visible = visibleStore(store, { services })
    const [listed] = (await visible.failures(allFailures)).failures
    const opened = await visible.failure(id, allFailures.bucketMs, allFailures.window)
    return [listed, opened].map(row => [row?.resolved?.release, row?.returned?.release])
  }
  const reopen = async (fixed: string, returned: string) => {
    const resolvedMs = noonMs + 1
    await store.failureStates.resolve(id, { atMs: resolvedMs, release: fixed, oldReleases: [] })
    const { position } = await store.failureStates.scan(10)
    const atMs = noonMs + 2
    await store.failureStates.commit({
      known: [],
      returned: [{ failureId: id, release: returned, atMs, resolvedMs }],
      position,
    })
  }

  await reopen('billing-7', 'billing-8')
  t.same(await statesFor(null), Array(2).fill(['billing-7', 'billing-8']))
  t.same(await statesFor(['shop']), Array(2).fill([null, undefined]))
  await store.append([anEvent({ ...failed, service: 'shop', release: 'shop-1', timeMs: noonMs + 2 })])
  await reopen('shop-1', 'shop-1')
  t.same(await statesFor(['shop']), Array(2).fill(['shop-1', 'shop-1']))
})

t.test('limited viewers see a release without events as hidden, not as “the next release”', async t => {
  const store = openMemoryStore({ nowMs: () => noonMs })
  await store.append([
    anEvent({ fingerprint: id, severity: 'error', timeMs: noonMs, service: 'shop', release: 'shop-1' }),
  ])
  const resolvedFor = async (services: string[] | null) => {
    const visible = visibleStore(store, { services })
    return (await visible.failure(id, allFailures.bucketMs, allFailures.window))?.resolved
  }
  const atMs = noonMs + 1
  const resolveIn = (release: string | null) =>
    store.failureStates.resolve(id, { atMs, release, oldReleases: [] })
  await resolveIn('shop-2')
  t.strictSame(await resolvedFor(null), { release: 'shop-2', atMs })
  t.strictSame(await resolvedFor(['shop']), { release: null, atMs, isReleaseHidden: true })
  await resolveIn(null)
  t.strictSame(await resolvedFor(['shop']), { release: null, atMs })
})

t.test('limited viewers do not see that a failure returned in another service', async t => {
  const store = openMemoryStore({ nowMs: () => noonMs })
  const failed = { fingerprint: id, severity: 'error', release: '1.1' } as const
  const fail = (service: string, timeMs: number, release: string | null = '1.1') =>
    store.append([anEvent({ ...failed, service, timeMs, release })])
  const stateFor = async (services: string[] | null) => {
    const visible = visibleStore(store, { services })
    const row = await visible.failure(id, allFailures.bucketMs, allFailures.window)
    return [row?.state, row?.returned, row?.stateMs]
  }
  const [resolvedMs, atMs] = [noonMs + 10, noonMs + 20]
  await fail('shop', noonMs)
  await store.failureStates.resolve(id, { atMs: resolvedMs, release: null, oldReleases: [] })
  await fail('billing', atMs)
  const returnIn = async (release: string) => {
    await store.failureStates.resolve(id, { atMs: resolvedMs, release: null, oldReleases: [] })
    const { position } = await store.failureStates.scan(10)
    const returned = [{ failureId: id, release, atMs, resolvedMs }]
    await store.failureStates.commit({ known: [], returned, position })
  }
  await returnIn('1.1')
  const returned = { release: '1.1', atMs }
  t.strictSame(await stateFor(null), ['open', returned, atMs])
  t.strictSame(await stateFor(['billing']), ['open', returned, atMs])
  t.strictSame(await stateFor(['shop']), ['open', null, null], 'no visible occurrence is newer')
  await fail('shop', noonMs + 15)
  t.strictSame(await stateFor(['shop']), ['open', returned, atMs], 'a visible occurrence is newer')
  await fail('billing', atMs, 'billing-2')
  await returnIn('billing-2')
  t.strictSame(await stateFor(['shop']), ['open', null, null], 'no visible service has the release')
})

t.test('limited viewers cannot find out into which failure an invisible one was merged', async t => {
  const store = openMemoryStore({ nowMs: () => noonMs })
  const failed = { severity: 'error', timeMs: noonMs } as const
  await store.append([
    anEvent({ ...failed, fingerprint: 'a', service: 'shop' }),
    anEvent({ ...failed, fingerprint: 'b', service: 'billing' }),
  ])
  await store.failureStates.merge('a', 'b')
  const idFor = (services: string[] | null) => visibleStore(store, { services }).failureId('a')
  t.equal(await idFor(null), 'b')
  t.equal(await idFor(['shop']), 'b', 'the merged failure includes a visible occurrence')
  t.equal(await idFor(['other']), 'a')
})
