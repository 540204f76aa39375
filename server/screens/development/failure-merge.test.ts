import t, { type Test } from 'tap'
import { failureForms } from '../../../shared/screens/development.ts'
import { detectAlerts } from '../../failures/detect-alerts.ts'
import { anEvent } from '../../store/conformance/testing.ts'
import { openMemoryStore } from '../../store/memory/store.ts'
import { fakeContext, fakeRequest, testNowMs } from '../../testing/fake-context.ts'
import { development } from './development.ts'
import { actOnFailure } from './failure-actions.ts'

/** Creates a store with the failures `a` (two occurrences), `b` and `c`. Only `a` and `b` have similar stacks. */
async function screenWithFailures(t: Test) {
  const store = openMemoryStore({ nowMs: () => testNowMs })
  t.teardown(() => store.close())
  const timeMs = testNowMs - 1000
  await store.append(
    ['a', 'a', 'b', 'c'].map(fingerprint =>
      anEvent({
        timeMs,
        fingerprint,
        digest: `digest of ${fingerprint}`,
        exception: { type: 'Error', message: `No ${fingerprint}`, stack: null },
      }),
    ),
  )
  const sign = (fingerprint: string, functionName: string) => ({
    fingerprint,
    service: 'shop',
    release: null,
    subject: fingerprint,
    frames: [{ functionName, file: `${functionName}.js` }],
    seenMs: timeMs,
    replaces: null,
  })
  await store.failureGrouping.storeSignatures([sign('a', 'total'), sign('b', 'total'), sign('c', 'pay')], 9)
  await store.failureStates.addNote('b', { id: 'n', writtenMs: timeMs, text: 'Known' })
  await store.failureStates.setState('b', 'muted', timeMs)
  const context = fakeContext({ store })
  return {
    store,
    async show(query: string) {
      const page = await development.get(fakeRequest(query), context)
      if (page.kind !== 'content' || page.content.view !== 'failure') throw new Error('No failure')
      return page.content.failure
    },
    submit: (form: Record<string, string>, query: string) =>
      actOnFailure(new URLSearchParams(form), fakeRequest(query), context, development.get),
  }
}

t.test('finds the failure to merge by id, fingerprint or digest', async t => {
  const { show, store } = await screenWithFailures(t)
  t.equal((await show('failure=a')).merge, null)
  t.same((await show('failure=a')).fingerprints, [])
  await store.failureStates.merge('alias', 'b')
  for (const value of ['b', ' alias ', 'digest of b']) {
    const { merge } = await show(`failure=a&merge=${value}`)
    t.match(merge, {
      problem: null,
      similar: [],
      chosen: { id: 'b', type: 'Error', message: 'No b', state: 'muted', count: 1, notes: 1 },
    })
  }
  await store.append([anEvent({ timeMs: testNowMs - 800, fingerprint: 'b', digest: '2338471' })])
  for (const text of ['Digest: 2338471', `${'Application error '.repeat(20)} Digest: 2338471`]) {
    t.match(await show(`failure=a&merge=${text}`), { merge: { problem: null, chosen: { id: 'b' } } }, text)
  }
  const shared = { timeMs: testNowMs - 500, digest: 'shared' }
  await store.append([anEvent({ ...shared, fingerprint: 'b' }), anEvent({ ...shared, fingerprint: 'a' })])
  t.match((await show('failure=a&merge=shared')).merge, { problem: null, chosen: { id: 'b' } })
  t.match((await show('failure=a&merge=lost')).merge, { value: 'lost', chosen: null, problem: /^No stored/ })
  t.match((await show('failure=a&merge=digest of a')).merge, { chosen: null, problem: /another failure/ })
})

t.test('without a value, lists failures with a similar stack', async t => {
  const { show } = await screenWithFailures(t)
  const { merge } = await show('failure=a&merge=')
  t.match(merge, { value: '', problem: null, chosen: null, similar: [{ id: 'b', count: 1 }] })
  t.equal(merge?.similar.length, 1)
})

t.test('merges another failure, and splits it off again', async t => {
  const { store, show, submit } = await screenWithFailures(t)
  t.same(await submit({ form: failureForms.merge, other: 'b' }, 'failure=a&merge=b'), {
    kind: 'redirect',
    location: '/development?failure=a#grouping',
  })
  const merged = await show('failure=a')
  t.match(merged, { id: 'a', state: 'open', impact: { occurrences: 3 }, notes: [{ id: 'n' }] })
  t.same(merged.fingerprints.map(({ fingerprint }) => fingerprint).sort(), ['a', 'b'])
  t.same(await submit({ form: failureForms.split, fingerprint: 'b' }, 'failure=a&digest=digest of a'), {
    kind: 'redirect',
    location: '/development?failure=b',
  })
  t.match(await show('failure=b'), { id: 'b', state: 'muted', impact: { occurrences: 1 }, notes: [{}] })
  t.match(await show('failure=a'), { id: 'a', impact: { occurrences: 2 }, notes: [] })
  t.equal(await store.manualGrouping.isSplit('a', 'b'), true)
})

t.test('after a merge into a resolved failure, the releases of both failures count as old', async t => {
  const { store, submit } = await screenWithFailures(t)
  const web = { timeMs: testNowMs - 900, fingerprint: 'w', service: 'web' }
  await store.append([anEvent({ ...web, release: '1.0' })])
  await store.failureStates.init()
  const old = [{ service: 'shop', release: '0.9' }]
  const resolved = { atMs: testNowMs - 500, release: null, oldReleases: old }
  await store.failureStates.resolve('a', resolved, 'ada')
  const [before] = await store.failureStates.snapshotStates(['a'])
  await store.append([anEvent({ ...web, release: '1.1', fingerprint: null })])
  await submit({ form: failureForms.merge, other: 'w' }, 'failure=a')
  await store.append(['1.0', '1.1', '1.2'].map(release => anEvent({ ...web, release })))
  const { findings } = detectAlerts(await store.failureStates.scan(10))
  t.match(findings.returned, [{ failureId: 'a', release: '1.2' }])
  t.equal(findings.returned.length, 1)
  const [after] = await store.failureStates.snapshotStates(['a'])
  t.same(after?.record?.resolution?.oldReleases.slice(0, 1), old)
  t.same({ ...after?.record, resolution: null }, { ...before?.record, resolution: null })
  t.match(after?.record?.resolution, { atMs: testNowMs - 500, release: null })
})

t.test('a failure in many services stays resolved in their known releases', async t => {
  const { store, submit } = await screenWithFailures(t)
  const names = Array.from({ length: 130 }, (_, index) => `s${index}`)
  const occurrences = (fingerprint: string) =>
    names.map(name => anEvent({ fingerprint, service: `${fingerprint}-${name}`, release: '1.0' }))
  await store.append([...occurrences('many'), ...occurrences('merged')])
  await store.failureStates.init()
  await submit({ form: failureForms.resolve }, 'failure=many')
  await submit({ form: failureForms.merge, other: 'merged' }, 'failure=many')
  await store.append([...occurrences('many'), ...occurrences('merged')])
  const scan = await store.failureStates.scan(1000)
  t.equal(scan.occurrences.length, 260)
  t.same(detectAlerts(scan).findings.returned, [])
})

t.test('rejects impossible merges and splits', async t => {
  const { store, submit } = await screenWithFailures(t)
  await store.manualGrouping.merge('c', 'b')
  for (const form of [
    { form: failureForms.merge, other: 'a' },
    { form: failureForms.merge, other: 'lost' },
    { form: failureForms.merge },
    { form: failureForms.split, fingerprint: 'a' },
    { form: failureForms.split, fingerprint: 'c' },
    { form: failureForms.split },
  ]) {
    t.match(await submit(form, 'failure=a'), { kind: 'content', status: 422 })
  }
  t.same(await Promise.all(['a', 'b', 'c'].map(id => store.failureId(id))), ['a', 'b', 'b'])
})

t.test('reports why a merge or split is no longer possible', async t => {
  const { store, submit } = await screenWithFailures(t)
  const failureAfter = async (form: Record<string, string>) => {
    const page = await submit(form, 'failure=a')
    if (page.kind !== 'content' || page.content.view !== 'failure') throw new Error('No failure')
    t.match(page, { status: 422, title: /^Not saved/ })
    return page.content.failure
  }
  t.match(await failureAfter({ form: failureForms.merge, other: 'lost' }), {
    merge: { value: 'lost', problem: /^No stored failure/, chosen: null, similar: [{ id: 'b' }] },
    splitProblem: null,
  })
  await store.manualGrouping.merge('b', 'a')
  t.match(await failureAfter({ form: failureForms.merge, other: 'b' }), {
    merge: { value: 'b', problem: /^This belongs to the failure on this page/, chosen: null },
  })
  t.match(await failureAfter({ form: failureForms.split, fingerprint: 'c' }), {
    merge: null,
    splitProblem: 'This fingerprint can’t be split off any more',
  })
})

t.test('a resolved failure that returned while it was merged is open after a split', async t => {
  for (const { release, state } of [
    { release: '0.9.1', state: 'resolved' },
    { release: '1.1.0', state: 'open' },
  ]) {
    const { store, show, submit } = await screenWithFailures(t)
    const { failureStates } = store
    await failureStates.init()
    const oldReleases = [{ service: 'shop', release: '1.0.0' }]
    await failureStates.resolve('c', { atMs: testNowMs - 500, release: null, oldReleases })
    await submit({ form: failureForms.merge, other: 'c' }, 'failure=a')
    await store.append([anEvent({ timeMs: testNowMs, fingerprint: 'c', release })])
    const { position } = await failureStates.scan(10)
    await failureStates.commit({ known: [], returned: [], position })
    await submit({ form: failureForms.split, fingerprint: 'c' }, 'failure=a')
    const returned = state === 'open' ? { release, atMs: testNowMs } : null
    t.match(await show('failure=c'), { id: 'c', state, returned }, release)
  }
})

t.test('asks again if the chosen failure has been merged into another one in the meantime', async t => {
  const { store, submit } = await screenWithFailures(t)
  await store.manualGrouping.merge('b', 'c')
  const query = 'failure=a&merge=b'
  t.match(await submit({ form: failureForms.merge, other: 'b' }, query), {
    status: 422,
    content: { failure: { id: 'a', merge: { value: 'b', problem: null, chosen: { id: 'c', count: 2 } } } },
  })
  t.equal(await store.failureId('b'), 'c')
  t.match(await submit({ form: failureForms.merge, other: 'c' }, query), { kind: 'redirect' })
  t.same(await Promise.all(['b', 'c'].map(id => store.failureId(id))), ['a', 'a'])
})

t.test('the search for similar failures lets other requests continue', async t => {
  const { store, show } = await screenWithFailures(t)
  const frames = (n: number) =>
    Array.from({ length: 8 }, (_, i) => ({ functionName: i === 3 ? `f${n}` : `f${i}`, file: `${i}.js` }))
  const fingerprints = Array.from({ length: 500 }, (_, n) => `${n}`)
  for (const fingerprint of fingerprints.slice(0, 50)) await store.manualGrouping.merge(fingerprint, 'a')
  const signed = fingerprints.map((fingerprint, n) => ({
    fingerprint,
    service: 'shop',
    release: null,
    subject: 'a',
    frames: frames(n),
    seenMs: testNowMs,
    replaces: null,
  }))
  await store.failureGrouping.storeSignatures(signed, 500)
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await show('failure=a&merge=')
  isDone = true
  const turnsWithSearch = turns
  turns = 0
  isDone = false
  setImmediate(count)
  await show('failure=a')
  isDone = true
  t.ok(turnsWithSearch > turns, `${turnsWithSearch} turns, ${turns} without the search`)
})
