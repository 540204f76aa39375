import type { Test } from 'tap'
import { Value } from 'typebox/value'
import type { NewEvent } from '../../../shared/event.ts'
import { fieldEquals } from '../../../shared/query.ts'
import { stateSnapshot } from '../failure-record.ts'
import type { Resolution } from '../failure-store.ts'
import type { Store } from '../store.ts'
import { anEvent, findMessages, type MakeLocation, noonMs, openStore, testWindow } from './testing.ts'

function occurrence(
  fingerprint: string,
  release: string | null,
  overrides: Partial<NewEvent> = {},
): NewEvent {
  return anEvent({ fingerprint, release, severity: 'error', ...overrides })
}

const resolution: Resolution = {
  atMs: noonMs + 5,
  release: '1.1',
  oldReleases: [
    { service: 'shop', release: '1.0' },
    { service: 'shop', release: null },
  ],
}

async function stateOf(store: Store, fingerprint: string) {
  const row = await store.failure(fingerprint, 60_000, testWindow)
  if (row === null) return null
  const { state, stateMs, stateBy, mutedUntilMs, resolved, returned } = row
  return { state, stateMs, ...(stateBy !== undefined && { stateBy }), mutedUntilMs, resolved, returned }
}

/** Tests failure states, notes and merges, and scans for new occurrences. */
export async function failureStates(t: Test, make: MakeLocation): Promise<void> {
  await t.test('init marks existing failures as known; later failures are new', async t => {
    let nowMs = noonMs
    const store = await openStore(t, make, () => nowMs)
    const states = store.failureStates
    await store.append([occurrence('old', '1.0'), anEvent()])
    await states.init()
    t.match(await states.scan(10), { occurrences: [], isEnd: true })
    nowMs += 10
    const [first, , api] = await store.append([
      occurrence('new', '1.0', { timeMs: 0 }),
      occurrence('old', '2.0'),
      occurrence('new', null, { service: 'api' }),
    ])
    nowMs += 10
    await store.append([occurrence('new', '1.0')])
    await states.init()
    const scan = await states.scan(10)
    t.strictSame(scan.occurrences, [
      {
        failureId: 'new',
        followed: null,
        service: 'shop',
        release: '1.0',
        eventId: first?.id,
        acceptedMs: noonMs + 10,
        resolution: null,
      },
      {
        failureId: 'new',
        followed: null,
        service: 'api',
        release: null,
        eventId: api?.id,
        acceptedMs: noonMs + 10,
        resolution: null,
      },
    ])
    t.strictSame(await states.scan(10), scan, 'returns the same scan until it is committed')
    await states.commit({ known: ['new'], returned: [], position: scan.position })
    await store.append([occurrence('new', '3.0')])
    t.match(await states.scan(10), { occurrences: [], isEnd: true })
  })

  await t.test('a scan resumes where the last committed scan ended, even in a reopened store', async t => {
    const location = make(t)
    const first = await location.open()
    await first.failureStates.init()
    await first.append(['a', 'b', 'c'].map(fingerprint => occurrence(fingerprint, null)))
    const scan = await first.failureStates.scan(2)
    t.match(scan, { occurrences: [{ failureId: 'a' }, { failureId: 'b' }], isEnd: false })
    await first.failureStates.commit({ known: ['a', 'b'], returned: [], position: scan.position })
    await first.close()
    const store = await location.open()
    t.teardown(() => store.close())
    await store.failureStates.init()
    t.match(await store.failureStates.scan(2), { occurrences: [{ failureId: 'c' }], isEnd: true })
  })

  await t.test('a scan returns later occurrences of a resolved failure, with its resolution', async t => {
    const store = await openStore(t, make, () => noonMs)
    const states = store.failureStates
    await states.init()
    await store.append([occurrence('f', '1.0')])
    await states.resolve('f', resolution)
    t.same((await states.scan(10)).occurrences, [], 'older occurrences are not returned')
    t.same(await stateOf(store, 'f'), {
      state: 'resolved',
      stateMs: noonMs + 5,
      mutedUntilMs: null,
      resolved: { release: '1.1', atMs: noonMs + 5 },
      returned: null,
    })
    const [newer] = await store.append([occurrence('f', '1.2')])
    const { occurrences, position } = await states.scan(10)
    t.strictSame(occurrences, [
      {
        failureId: 'f',
        followed: null,
        service: 'shop',
        release: '1.2',
        eventId: newer?.id,
        acceptedMs: noonMs,
        resolution,
      },
    ])
    const returned = { failureId: 'f', release: '1.2', atMs: noonMs + 7 }
    await states.commit({ known: [], returned: [{ ...returned, resolvedMs: 1 }], position })
    t.match(
      await stateOf(store, 'f'),
      { state: 'resolved' },
      'a return is ignored if the failure was resolved again afterwards',
    )
    await states.commit({ known: [], returned: [{ ...returned, resolvedMs: resolution.atMs }], position })
    t.same(await stateOf(store, 'f'), {
      state: 'open',
      stateMs: noonMs + 7,
      mutedUntilMs: null,
      resolved: { release: '1.1', atMs: noonMs + 5 },
      returned: { release: '1.2', atMs: noonMs + 7 },
    })
    await states.resolve('f', { ...resolution, atMs: noonMs + 9, release: null })
    t.match(await stateOf(store, 'f'), {
      resolved: { release: null, atMs: noonMs + 9 },
      returned: null,
    })
  })

  await t.test('replaces the old releases of a resolution that is still in effect', async t => {
    const store = await openStore(t, make)
    const states = store.failureStates
    await states.init()
    await states.resolve('f', resolution, 'ada')
    await states.merge('alias', 'f')
    const [before] = await states.snapshotStates(['f'])
    const oldReleases = [...resolution.oldReleases, { service: 'web', release: '3.0' }]
    await states.replaceOldReleases('f', resolution.atMs - 1, oldReleases)
    t.same(await states.snapshotStates(['f']), [before])
    await states.replaceOldReleases('alias', resolution.atMs, oldReleases)
    const record = { ...before?.record, resolution: { ...resolution, oldReleases } }
    t.same(await states.snapshotStates(['f']), [{ id: 'f', record }])
    await states.setState('f', 'open', noonMs + 9)
    await states.replaceOldReleases('f', resolution.atMs, oldReleases)
    t.match(await states.snapshotStates(['f']), [{ record: { state: 'open', resolution: null } }])
  })

  await t.test('lists and counts failures by state', async t => {
    const location = make(t)
    const first = await location.open()
    await first.append(['a', 'b', 'c', 'c'].map(fingerprint => occurrence(fingerprint, '1.0')))
    await first.failureStates.setState('a', 'muted', noonMs)
    await first.failureStates.resolve('b', resolution)
    await first.close()
    const store = await location.open()
    t.teardown(() => store.close())
    const query = {
      window: testWindow,
      bucketMs: 3_600_000,
      sort: 'newest',
      service: null,
      text: null,
      limit: 10,
    } as const
    const listed = async (state: 'open' | 'resolved' | 'muted' | null) =>
      (await store.failures({ ...query, state })).failures.map(({ id }) => id).sort()
    t.same(await listed('open'), ['c'])
    t.same(await listed('resolved'), ['b'])
    t.same(await listed('muted'), ['a'])
    t.same(await listed(null), ['a', 'b', 'c'])
    t.same(await store.failureCounts(testWindow), {
      open: { failures: 1, occurrences: 2 },
      resolved: { failures: 1, occurrences: 1 },
      muted: { failures: 1, occurrences: 1 },
    })
    t.match(await store.services(testWindow, 3_600_000), [{ service: 'shop', events: 4, failures: 2 }])
    await store.failureStates.setState('a', 'open', noonMs)
    t.same(await listed('open'), ['a', 'c'])
    const none = { failures: 0, occurrences: 0 }
    t.same(await store.failureCounts({ fromMs: 0, toMs: 1 }), { open: none, resolved: none, muted: none })
  })

  await t.test('reopens a muted failure when its mute period ends', async t => {
    const store = await openStore(t, make)
    await store.append(['a', 'b', 'c'].map(fingerprint => occurrence(fingerprint, '1.0')))
    const states = store.failureStates
    await states.setState('a', 'muted', noonMs, { untilMs: noonMs + 60_000, by: 'ada' })
    await states.setState('b', 'muted', noonMs)
    await states.setState('c', 'muted', noonMs, { untilMs: noonMs + 60_001 })
    await states.reopenDue(noonMs + 59_999)
    t.match(await stateOf(store, 'a'), { state: 'muted', stateBy: 'ada', mutedUntilMs: noonMs + 60_000 })
    await states.reopenDue(noonMs + 60_000)
    t.match(await stateOf(store, 'a'), { state: 'open', stateMs: noonMs + 60_000, mutedUntilMs: null })
    t.notOk('stateBy' in ((await stateOf(store, 'a')) ?? {}), 'no user opened it')
    t.match(await stateOf(store, 'b'), { state: 'muted', mutedUntilMs: null })
    t.match(await stateOf(store, 'c'), { state: 'muted' })
    await states.resolve('c', resolution)
    await states.reopenDue(noonMs + 90_000)
    t.match(await stateOf(store, 'c'), { state: 'resolved', mutedUntilMs: null })
  })

  await t.test('takes a snapshot of states and restores it', async t => {
    const location = make(t)
    const store = await location.open()
    t.teardown(() => store.close())
    const ids = ['open', 'muted', 'resolved', 'returned']
    await store.append(ids.map(fingerprint => occurrence(fingerprint, '1.0')))
    const states = store.failureStates
    await states.init()
    await states.setState('muted', 'muted', noonMs, { untilMs: noonMs + 9 })
    await states.resolve('resolved', resolution, 'ada')
    await states.resolve('returned', resolution)
    await states.commit({
      known: [],
      returned: [{ failureId: 'returned', release: '2.0', atMs: noonMs + 2, resolvedMs: resolution.atMs }],
      position: (await states.scan(10)).position,
    })
    const read = () => Promise.all(ids.map(id => stateOf(store, id)))
    const before = await read()
    const snapshot: unknown = JSON.parse(JSON.stringify(await states.snapshotStates(ids)))
    if (!Value.Check(stateSnapshot, snapshot)) throw new TypeError('The states do not match the schema')
    await states.resolve('open', { ...resolution, atMs: noonMs + 1 })
    await states.setState('muted', 'open', noonMs + 1)
    await states.setState('resolved', 'muted', noonMs + 1)
    await states.setState('returned', 'muted', noonMs + 1)
    await states.restoreStates(snapshot)
    t.same(await read(), before)
    await states.restoreStates(snapshot)
    t.same(await read(), before, 'restoring twice is harmless')
    // A restored resolution still contains the releases in which the failure may occur.
    await store.append([occurrence('resolved', '1.0'), occurrence('resolved', '9.9')])
    t.same(
      (await states.scan(10)).occurrences.map(({ failureId, resolution }) => [failureId, resolution?.atMs]),
      [
        ['resolved', resolution.atMs],
        ['resolved', resolution.atMs],
      ],
    )
    await states.restoreStates(await states.snapshotStates([]))
  })

  await t.test('restoring states does not change the failure into which others were merged', async t => {
    const store = await openStore(t, make)
    const states = store.failureStates
    const ids = ['opened', 'muted', 'other']
    await store.append(ids.map(fingerprint => occurrence(fingerprint, '1.0')))
    await states.init()
    await states.setState('muted', 'muted', noonMs)
    const snapshot = await states.snapshotStates(['opened', 'muted'])
    await states.setState('opened', 'muted', noonMs + 1)
    await states.setState('muted', 'open', noonMs + 1)
    await states.resolve('other', resolution)
    const before = await stateOf(store, 'other')
    for (const id of ['opened', 'muted']) await store.manualGrouping.merge(id, 'other')
    await states.restoreStates(snapshot)
    t.same(await stateOf(store, 'other'), before)
    for (const id of ['opened', 'muted']) await store.manualGrouping.split(id)
    t.match(await stateOf(store, 'opened'), { state: 'open' })
    t.match(await stateOf(store, 'muted'), { state: 'muted' })

    await store.manualGrouping.merge('opened', 'other')
    const ofOther = await states.snapshotStates(['opened'])
    await states.setState('opened', 'muted', noonMs + 2)
    await states.restoreStates(ofOther)
    t.same(await stateOf(store, 'other'), before, 'a fingerprint refers to its current failure')
  })

  await t.test('stores notes, newest first', async t => {
    const { failureStates: states } = await openStore(t, make)
    const note = (id: string, atMs: number) => ({
      id,
      writtenMs: noonMs + atMs,
      text: `It's ${id}\n"now" 😀`,
    })
    await states.addNote('f', note('n1', 0))
    await states.addNote('f', note('n2', 1))
    await states.addNote('g', note('n3', 2))
    t.strictSame(await states.notes('f'), [note('n2', 1), note('n1', 0)])
    await states.removeNote('g', 'n1')
    await states.removeNote('f', 'n2')
    t.strictSame(await states.notes('f'), [note('n1', 0)])
  })

  await t.test('merge moves the fingerprints, state and notes of one failure to another', async t => {
    const store = await openStore(t, make)
    const states = store.failureStates
    await store.append(['a', 'b', 'b', 'c'].map(fingerprint => occurrence(fingerprint, '1.0')))
    await states.addNote('a', { id: 'n', writtenMs: noonMs, text: 'Known' })
    await states.resolve('a', resolution)
    await states.merge('a', 'b')
    const query = {
      window: testWindow,
      bucketMs: 7_200_000,
      state: null,
      service: null,
      text: null,
      limit: 10,
    } as const
    t.match((await store.failures({ ...query, sort: 'frequent' })).failures, [
      { id: 'b', state: 'resolved', count: 3, sparkline: [3] },
      { id: 'c', state: 'open', count: 1 },
    ])
    t.match(await store.failure('b', 7_200_000, testWindow), { id: 'b', count: 3, sparkline: [3] })
    t.match(await states.notes('b'), [{ text: 'Known' }])
    t.match((await store.failureReleases('b')).releases, [{ release: '1.0', count: 3 }])
    t.match(await store.failureImpact('b'), { occurrences: 3 })
    t.match(await store.failureCounts(testWindow), {
      open: { failures: 1, occurrences: 1 },
      resolved: { failures: 1, occurrences: 3 },
    })
    const ofFailure = (value: string) =>
      findMessages(store, { kind: 'field', field: 'failure', comparison: '=', value })
    t.equal((await ofFailure('b')).length, 3)
    t.equal((await ofFailure('resolved')).length, 3)

    await states.setState('c', 'muted', noonMs)
    await states.merge('b', 'c')
    t.match(
      await store.failure('c', 7_200_000, testWindow),
      { state: 'muted', count: 4 },
      'does not replace the state of a muted failure',
    )
    t.match(await states.notes('c'), [{ text: 'Known' }])
    await states.merge('c', 'c')
    t.match(await store.failure('c', 7_200_000, testWindow), { state: 'muted', count: 4 })
  })

  await t.test('failureId finds the failure of any fingerprint, even after merges', async t => {
    const location = make(t)
    const first = await location.open()
    t.equal(await first.failureId('unknown'), 'unknown')
    await first.append([occurrence('a', '1.0', { digest: 'd1' })])
    await first.failureStates.merge('a', 'b')
    await first.failureStates.merge('x', 'b')
    await first.failureStates.merge('b', 'c')
    await first.close()
    const store = await location.open()
    t.teardown(() => store.close())
    const ids = () => Promise.all(['a', 'x', 'b', 'c'].map(each => store.failureId(each)))
    t.same(await ids(), ['c', 'c', 'c', 'c'])
    t.same(await store.failuresOfDigest('d1'), ['c'])
    t.equal(await store.failureStates.isKnown('x'), true)
    t.equal(await store.failureStates.isKnown('y'), false)
    await store.failureStates.merge('c', 'a')
    t.same(await ids(), ['c', 'c', 'c', 'c'], 'merging a failure with itself changes nothing')
    await store.failureStates.setState('x', 'muted', noonMs)
    t.match(await store.failure('c', 60_000, testWindow), { state: 'muted' })
  })

  await t.test('a scan omits fingerprints of known and merged failures', async t => {
    const store = await openStore(t, make)
    const states = store.failureStates
    await states.init()
    await states.setState('muted', 'muted', noonMs)
    await states.markKnown(['a', 'muted', 'a'])
    await states.markKnown([])
    await states.merge('b', 'a')
    await store.append(['a', 'b', 'muted', 'c'].map(fingerprint => occurrence(fingerprint, '1.0')))
    t.match((await states.scan(10)).occurrences, [{ failureId: 'c', resolution: null }])
    t.match(await stateOf(store, 'muted'), { state: 'muted' })
    await states.resolve('a', { ...resolution, atMs: noonMs })
    await store.append([occurrence('b', '1.2')])
    t.match((await states.scan(10)).occurrences, [{ failureId: 'c' }, { failureId: 'a', release: '1.2' }])
  })

  await t.test('reads a failure with 20,000 fingerprints', async t => {
    const store = await openStore(t, make)
    const fingerprints = Array.from({ length: 20_000 }, (_, index) => `f${index}`)
    const last = fingerprints.at(-1) ?? ''
    await store.sharedState(({ failureIds }) => {
      for (const fingerprint of fingerprints) failureIds.set(fingerprint, 'f0')
    })
    await store.append([
      occurrence('f0', '1.0', { body: 'first' }),
      occurrence(last, '1.0', { body: 'last' }),
      occurrence('other', '1.0', { body: 'other' }),
    ])
    const ofFailure = fieldEquals('failure', 'f0')
    t.same((await findMessages(store, ofFailure)).sort(), ['first', 'last'])
    const snapshot = await store.failureStates.snapshotStates(fingerprints.slice(0, 2000))
    t.same(new Set(snapshot.map(({ id }) => id)), new Set(['f0']))
    const text = { kind: 'text', text: 'last' } as const
    t.same(await findMessages(store, { kind: 'and', left: ofFailure, right: text }), ['last'])
    t.same(await findMessages(store, { kind: 'not', query: ofFailure }), ['other'])
    t.match(await store.failure(last, 60_000, testWindow), { id: 'f0', count: 2 })
    t.match(await store.failureReleases('f0'), { releases: [{ count: 2 }] })
    t.match(await store.failureImpact('f0'), { occurrences: 2 })
    t.match(await store.manualGrouping.fingerprints('f0', 1), { fingerprints: { length: 1 }, total: 2 })
  })

  await t.test('search finds occurrences by failure state', async t => {
    const store = await openStore(t, make)
    await store.append(
      ['a', 'b', 'c', 'c'].map(fingerprint => occurrence(fingerprint, '1.0', { body: fingerprint })),
    )
    await store.append([anEvent({ body: 'no failure' })])
    await store.failureStates.setState('a', 'muted', noonMs)
    await store.failureStates.resolve('b', resolution)
    const inState = (value: string) =>
      findMessages(store, { kind: 'field', field: 'failure', comparison: '=', value })
    t.same(await inState('open'), ['c', 'c'])
    t.same(await inState('resolved'), ['b'])
    t.same(await inState('muted'), ['a'])
    t.same(await inState('lost'), [])
    t.same(await findMessages(store, { kind: 'exists', field: 'failure' }), ['a', 'b', 'c', 'c'])
  })
}
