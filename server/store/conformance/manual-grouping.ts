import type { Test } from 'tap'
import { anEvent, type MakeLocation, noonMs, openStore, testWindow } from './testing.ts'

const occurrence = (fingerprint: string, release: string | null, timeMs = noonMs) =>
  anEvent({
    fingerprint,
    release,
    timeMs,
    exception: { type: 'TypeError', message: `No ${fingerprint}`, stack: null },
  })

const signature = {
  service: 'shop',
  release: '1.0',
  subject: 's',
  frames: [{ functionName: 'total', file: 'cart.js' }],
  seenMs: noonMs,
}

/** Tests manual merges and splits. */
export async function manualGrouping(t: Test, make: MakeLocation): Promise<void> {
  await t.test('lists the fingerprints of a failure, newest first', async t => {
    const store = await openStore(t, make)
    await store.append([
      occurrence('a', '1.0'),
      occurrence('a', '1.1', noonMs + 1),
      occurrence('a', null, noonMs + 2),
      occurrence('b', '2.0', noonMs + 3),
      occurrence('c', '2.0', noonMs + 4),
    ])
    await store.failureGrouping.storeSignatures([{ ...signature, fingerprint: 'a', replaces: null }], 9)
    await store.manualGrouping.merge('b', 'a')
    await store.manualGrouping.merge('without events', 'a')
    const a = {
      fingerprint: 'a',
      type: 'TypeError',
      message: 'No a',
      topFrame: { functionName: 'total', file: 'cart.js' },
      count: 3,
      releases: ['1.1', '1.0'],
      releaseCount: 2,
      lastSeenMs: noonMs + 2,
    }
    const b = {
      fingerprint: 'b',
      type: 'TypeError',
      message: 'No b',
      topFrame: null,
      count: 1,
      releases: ['2.0'],
      releaseCount: 1,
      lastSeenMs: noonMs + 3,
    }
    const none = { fingerprints: [], total: 0 }
    t.strictSame(await store.manualGrouping.fingerprints('b', 10), { fingerprints: [b, a], total: 2 })
    t.strictSame(await store.manualGrouping.fingerprints('a', 1), { fingerprints: [b], total: 2 })
    t.same(await store.manualGrouping.fingerprints('lost', 10), none)
    t.same(await store.manualGrouping.fingerprints('c', 10), none, 'a failure with one fingerprint')
  })

  await t.test('a split undoes a merge, and restores ids, states and notes', async t => {
    const location = make(t)
    const first = await location.open()
    const note = (id: string) => ({ id, writtenMs: noonMs, text: id })
    await first.append([occurrence('a', '1.0'), occurrence('b', '1.0'), occurrence('b', '1.0')])
    await first.failureStates.setState('b', 'muted', noonMs)
    await first.failureStates.addNote('a', note('of a'))
    await first.failureStates.addNote('b', note('of b'))
    const states = () => [first.failure('a', 60_000, testWindow), first.failure('b', 60_000, testWindow)]
    const before = await Promise.all(states())
    await first.manualGrouping.merge('b', 'a')
    t.match(await first.failure('b', 60_000, testWindow), { id: 'a', state: 'open', count: 3 })
    t.match(await first.failureStates.notes('a'), [{ id: 'of a' }, { id: 'of b' }])
    t.equal(await first.manualGrouping.isMerged('b'), true)
    await first.failureStates.addNote('b', note('of both'))
    t.equal(await first.manualGrouping.split('b'), 'b')
    t.same(await Promise.all(states()), before)
    await first.close()
    const store = await location.open()
    t.teardown(() => store.close())
    const { manualGrouping, failureStates } = store
    t.match(await failureStates.notes('b'), [{ id: 'of b' }])
    t.same(
      (await failureStates.notes('a')).map(({ id }) => id),
      ['of a', 'of both'],
    )
    t.equal(await manualGrouping.isMerged('a'), false)
    t.equal(await manualGrouping.isSplit('a', 'b'), true)
    t.equal(await manualGrouping.isSplit('b', 'a'), true)
    t.equal(await manualGrouping.isSplit('a', 'c'), false)
    await manualGrouping.merge('a', 'b')
    t.equal(await manualGrouping.isSplit('a', 'b'), false)
    t.equal(await store.failureId('a'), 'b')
    t.match(await store.failure('a', 60_000, testWindow), { id: 'b', state: 'muted', count: 3 })
    await failureStates.removeNote('b', 'of a')
    t.equal((await failureStates.notes('b')).length, 2)
  })

  await t.test(
    'finds the occurrences of a resolved failure that were scanned before it was split off',
    async t => {
      const store = await openStore(t, make, () => noonMs)
      const { failureStates: states, manualGrouping } = store
      await states.init()
      const commitScan = async () => {
        const { position } = await states.scan(10)
        await states.commit({ known: ['a', 'b'], returned: [], position })
      }
      await store.append([occurrence('a', '0.9'), occurrence('b', '0.9')])
      await commitScan()
      const oldReleases = [{ service: 'shop', release: '1.0' }]
      const resolution = { atMs: noonMs + 5, release: '1.1', oldReleases }
      await states.resolve('a', resolution)
      await manualGrouping.merge('a', 'b')
      const stored = await store.append(
        ['1.0', '1.2', '1.2'].map(release => occurrence('a', release)).concat(occurrence('b', '1.3')),
      )
      await commitScan()
      t.same(await states.occurrencesSinceResolved('a'), [], 'the failure on the page is open')
      await manualGrouping.split('a')
      t.same((await states.scan(10)).occurrences, [])
      const [unscanned] = await store.append([occurrence('a', '1.4')])
      const scanned = { failureId: 'a', followed: null, service: 'shop', acceptedMs: noonMs, resolution }
      t.match(
        (await states.scan(10)).occurrences,
        [{ ...scanned, release: '1.4', eventId: unscanned?.id }],
        'the next scan finds the other occurrences',
      )
      t.strictSame(await states.occurrencesSinceResolved('a'), [
        { ...scanned, release: '1.0', eventId: stored[0]?.id },
        { ...scanned, release: '1.2', eventId: stored[1]?.id },
      ])
      const state = async () => {
        const row = await store.failure('a', 60_000, testWindow)
        return [row?.state, row?.returned]
      }
      const returned = { failureId: 'a', release: '1.2', atMs: noonMs + 7 }
      await states.reopen([{ ...returned, resolvedMs: 1 }])
      t.same(await state(), ['resolved', null], 'another resolution')
      await states.reopen([{ ...returned, resolvedMs: resolution.atMs }])
      t.same(await state(), ['open', { release: '1.2', atMs: noonMs + 7 }])
      t.same(await states.occurrencesSinceResolved('a'), [])
      t.same(await states.occurrencesSinceResolved('unknown'), [])
    },
  )

  await t.test(
    'after a merge into a resolved failure, occurrences scanned before the merge are not returns',
    async t => {
      const store = await openStore(t, make, () => noonMs)
      const { failureStates: states, manualGrouping } = store
      await states.init()
      const commitScan = async () => {
        const { position } = await states.scan(10)
        await states.commit({ known: ['a', 'b', 'open'], returned: [], position })
      }
      await store.append([occurrence('a', '1.0'), occurrence('b', '1.0'), occurrence('open', '1.0')])
      await commitScan()
      const resolution = {
        atMs: noonMs + 5,
        release: null,
        oldReleases: [{ service: 'shop', release: '1.0' }],
      }
      await states.resolve('a', resolution)
      await store.append([occurrence('b', '1.3')])
      await commitScan()
      const [unscanned] = await store.append([occurrence('a', '1.4')])
      await manualGrouping.merge('b', 'a')
      t.same(await states.occurrencesSinceResolved('a'), [])
      t.match((await states.scan(10)).occurrences, [{ failureId: 'a', eventId: unscanned?.id, resolution }])
      await commitScan()
      t.match(await states.occurrencesSinceResolved('a'), [{ eventId: unscanned?.id }])
      await manualGrouping.merge('a', 'open')
      t.match(await states.snapshotStates(['open']), [{ id: 'open', record: null }])
    },
  )

  await t.test('splits off a fingerprint that joined a failure automatically', async t => {
    const store = await openStore(t, make)
    await store.append([occurrence('a', '1.0'), occurrence('b', '1.1')])
    await store.failureGrouping.storeSignatures([{ ...signature, fingerprint: 'a', replaces: null }], 9)
    await store.failureGrouping.storeSignatures([{ ...signature, fingerprint: 'b', replaces: 'a' }], 9)
    await store.failureStates.setState('a', 'muted', noonMs)
    t.equal(await store.failureId('b'), 'a')
    t.equal(await store.manualGrouping.split('b'), 'b')
    t.match(await store.failure('b', 60_000, testWindow), { id: 'b', state: 'open', count: 1 })
    t.match(await store.failure('a', 60_000, testWindow), { id: 'a', state: 'muted', count: 1 })
    t.same((await store.failureStates.scan(10)).occurrences, [], 'the failure is not reported as new')
    const signatures = await store.failureGrouping.signatures({ service: 'shop', subject: null }, 10)
    t.ok(
      signatures.every(({ isReplaced }) => !isReplaced),
      'both failures can be recognised in a newer release',
    )
  })

  await t.test("never splits off a failure's id, its only fingerprint or one without events", async t => {
    const store = await openStore(t, make)
    await store.append([occurrence('a', '1.0'), occurrence('b', '1.0')])
    await store.manualGrouping.merge('b', 'a')
    await store.manualGrouping.merge('without events', 'a')
    await store.failureStates.merge('c', 'x')
    await store.append([occurrence('c', '1.0')])
    for (const fingerprint of ['a', 'without events', 'unknown', 'c'])
      t.equal(await store.manualGrouping.split(fingerprint), null, fingerprint)
    t.equal(await store.failureId('b'), 'a')
    t.equal(await store.failureId('c'), 'x')
  })

  await t.test('simultaneous merges leave no fingerprint in a failure that no longer exists', async t => {
    const store = await openStore(t, make)
    const { manualGrouping, failureStates } = store
    const ways = [manualGrouping, failureStates]
    for (const [index, [one, other]] of ways.flatMap(a => ways.map(b => [a, b] as const)).entries()) {
      await Promise.all([one.merge(`b${index}`, `c${index}`), other.merge(`a${index}`, `b${index}`)])
      t.equal(await store.failureId(`a${index}`), `c${index}`)
    }
  })

  await t.test('after a split, links to a former fingerprint open the new failure', async t => {
    const store = await openStore(t, make)
    await store.append([occurrence('a', '1.0'), occurrence('mapped', '1.0')])
    await store.failureStates.addNote('old', { id: 'n', writtenMs: noonMs, text: 'Known' })
    await store.failureStates.merge('mapped', 'old')
    await store.manualGrouping.merge('old', 'a')
    await store.failureStates.merge('mapped again', 'mapped')
    await store.append([occurrence('mapped again', '1.0')])
    t.equal(await store.failureId('mapped'), 'a')
    t.equal(await store.manualGrouping.split('mapped'), 'old')
    t.equal(await store.failureId('old'), 'old')
    t.equal(await store.failureId('mapped again'), 'a')
    t.match(await store.failureStates.notes('mapped'), [{ id: 'n' }])
  })
}
