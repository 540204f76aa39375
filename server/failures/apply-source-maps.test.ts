import t, { type Test } from 'tap'
import { createMutex } from '../store/common/mutex.ts'
import { anEvent } from '../store/conformance/testing.ts'
import { openMemoryStore } from '../store/memory/store.ts'
import { applySourceMaps } from './apply-source-maps.ts'

/** A store with returned failures whose source maps have not been applied. Returns the failures that are read. */
async function returnedFailures(t: Test, ids: readonly string[], onRead: () => void = () => {}) {
  const store = openMemoryStore()
  t.teardown(() => store.close())
  const states = store.failureStates
  await states.init()
  for (const id of ids) await states.resolve(id, { atMs: 1, release: null, oldReleases: [] })
  const exception = { type: 'Error', message: 'x', stack: 'Error: x\n    at t (main.js:1:1)' }
  await store.append(
    ['open', ...ids, ...ids.map(id => `${id} too`)].map(fingerprint =>
      anEvent({ fingerprint, release: '2', exception }),
    ),
  )
  for (const id of ids) await states.merge(`${id} too`, id)
  await states.commit({ known: ['open'], returned: [], position: (await states.scan(10)).position })
  const map = { id: 'm', release: '2', path: 'main.js', debugId: null, service: null, uploadedMs: 1 }
  await store.sourceMaps.put(map, new Uint8Array(), 1000)
  const read: string[] = []
  const apply = (signal: AbortSignal) =>
    applySourceMaps(
      {
        store: {
          ...store,
          failureStates: {
            ...states,
            occurrencesSinceResolved(id) {
              read.push(id)
              onRead()
              return states.occurrencesSinceResolved(id)
            },
          },
        },
        fingerprintEvents: async events => [...events],
        withScanLock: createMutex(),
      },
      () => true,
      signal,
    )
  const stateOf = async (id: string) => (await states.snapshotStates([id]))[0]?.record?.state
  return { store, read, apply, stateOf }
}

t.test('reads the occurrences of each resolved failure once', async t => {
  const { read, apply, stateOf } = await returnedFailures(t, ['a', 'b'])
  await apply(new AbortController().signal)
  t.same(read.sort(), ['a', 'b'])
  t.same([await stateOf('a'), await stateOf('b')], ['open', 'open'])
})

t.test('source maps are applied again if applying them was aborted', async t => {
  const stopping = new AbortController()
  const { store, read, apply, stateOf } = await returnedFailures(t, ['a', 'b'], () => stopping.abort())
  await apply(stopping.signal)
  t.equal(read.length, 1)
  t.match(await store.sourceMaps.list(), [{ isApplied: false }])
  await apply(new AbortController().signal)
  t.same([await stateOf('a'), await stateOf('b')], ['open', 'open'])
  t.match(await store.sourceMaps.list(), [{ isApplied: true }])
})
