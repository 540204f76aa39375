import type { Test } from 'tap'
import type { NewSourceMap } from '../source-map-store.ts'
import { anEvent, type MakePlace, noonMs, openStore } from './place.ts'

function aMap(differing: Partial<NewSourceMap> = {}): NewSourceMap {
  return {
    id: 'm1',
    release: '1.4.2',
    path: 'static/main.js',
    debugId: null,
    service: null,
    uploadedMs: noonMs,
    ...differing,
  }
}

/** Release 1 of any service. */
const ofRelease = [{ service: null, release: '1' }]

const bytes = (text: string) => new TextEncoder().encode(text)

/** Source maps, and the failures that kept events are of once their maps are there. */
export async function sourceMaps(t: Test, make: MakePlace): Promise<void> {
  await t.test('keeps maps over a restart, each once, and reads any part of them', async t => {
    const place = make(t)
    const first = await place.open()
    t.same(await first.sourceMaps.list(), [])
    t.equal(await first.sourceMaps.put(aMap(), bytes('0123456789'), 100), true)
    t.equal(await first.sourceMaps.put(aMap({ release: 'ä😀"' }), bytes('other'), 100), false)
    const second = aMap({
      id: 'm-2_',
      release: 'ä😀"',
      debugId: 'b1',
      service: "ä😀'",
      uploadedMs: noonMs + 1,
    })
    t.equal(await first.sourceMaps.put(second, new Uint8Array([0, 255, 128]), 100), true)
    await first.close()
    const { sourceMaps, close } = await place.open()
    t.teardown(close)
    t.same(await sourceMaps.list(), [
      { ...aMap(), sizeBytes: 10, isApplied: false },
      { ...second, sizeBytes: 3, isApplied: false },
    ])
    const text = async (start: number, length: number) =>
      new TextDecoder().decode((await sourceMaps.read('m1', start, length)) ?? undefined)
    t.equal(await text(0, 10), '0123456789')
    t.equal(await text(3, 2), '34')
    t.equal(await text(8, 100), '89')
    t.equal(await text(10, 1), '')
    t.equal(await text(99, 1), '')
    t.same(await sourceMaps.read('m-2_', 0, 3), new Uint8Array([0, 255, 128]))
    t.equal(await sourceMaps.read('unknown', 0, 1), null)
    await sourceMaps.applied(['m1', 'unknown'])
    t.same(
      (await sourceMaps.list()).map(({ isApplied }) => isApplied),
      [true, false],
    )
  })

  await t.test('drops the oldest maps above the limit, with their disk, and never the newest', async t => {
    const { sourceMaps } = await openStore(t, make)
    const kept = async () => (await sourceMaps.list()).map(({ id }) => id)
    for (const [index, id] of ['a', 'b', 'c'].entries()) {
      await sourceMaps.put(aMap({ id, uploadedMs: noonMs + index }), new Uint8Array(40), 100)
    }
    t.same(await kept(), ['b', 'c'])
    t.equal(await sourceMaps.read('a', 0, 1), null)
    t.equal((await sourceMaps.read('b', 0, 40))?.length, 40)
    await sourceMaps.put(aMap({ id: 'd', uploadedMs: noonMs - 1 }), new Uint8Array(400), 100)
    t.same(await kept(), ['d'])
    await Promise.all(['e', 'f', 'f', 'g'].map(id => sourceMaps.put(aMap({ id }), new Uint8Array(40), 100)))
    t.equal((await kept()).length, 2)
  })

  await t.test(
    'gives one event of each stack of a release, and all of a stack another fingerprint',
    async t => {
      const store = await openStore(t, make)
      const thrown = (
        place: string,
        message: string,
        differing: Partial<Parameters<typeof anEvent>[0]> = {},
      ) => {
        const stack = `Error: ${message}\n    at t (${place})`
        return anEvent({
          release: '1',
          fingerprint: 'f1',
          exception: { type: 'Error', message, stack },
          ...differing,
        })
      }
      const debugIds = { attributes: { debugIds: { 'main.js': 'aa' } } }
      const events = await store.append([
        thrown('main.js:1:10', 'item 1'),
        thrown('main.js:1:10', 'item 2'),
        thrown('main.js:1:99', 'item 3'),
        thrown('main.js:1:99', 'item 4', { fingerprint: 'f2' }),
        thrown('main.js:1:10', 'other release', { release: '2' }),
        thrown('main.js:1:10', 'by its debug id', { release: null, ...debugIds }),
        thrown('main.js:1:10', 'own', { source: 'own' }),
        anEvent({ release: '1', fingerprint: 'f3' }),
        anEvent({ release: '1' }),
      ])
      const idOf = (index: number) => events[index]?.id ?? -1
      const stacks = await store.keptStacks(ofRelease, 100)
      t.same(
        stacks.map(({ eventId }) => eventId),
        [5, 3, 2, 1].map(idOf),
        'the newest of each, newest first',
      )
      t.same(await store.keptStacks(ofRelease, 1), stacks.slice(0, 1))
      t.same(await store.keptStacks([], 100), [])

      const identities = stacks.map(({ key }, index) => ({ key, fingerprint: `new${index}` }))
      t.equal(await store.identify(ofRelease, identities), 5)
      const fingerprints = await Promise.all(
        events.map(async ({ id }) => (await store.event(id))?.fingerprint),
      )
      t.same(fingerprints, ['new3', 'new3', 'new2', 'new1', 'f1', 'new0', 'f1', 'f3', null])
      t.equal(await store.identify(ofRelease, identities), 0, 'the stacks are others now')
      t.match(await store.failureReleases('new3'), [{ release: '1', count: 2 }])
    },
  )

  await t.test('regroups the events of one service, and leaves those of another', async t => {
    const store = await openStore(t, make)
    const exception = { type: 'Error', message: 'x', stack: 'Error: x\n    at t (main.js:1:1)' }
    const from = (service: string, release: string) =>
      anEvent({ service, release, fingerprint: 'old', exception })
    const events = await store.append([from('a', '1'), from('b', '1'), from('a', '2'), from('b', '2')])
    const fingerprints = () => Promise.all(events.map(async ({ id }) => (await store.event(id))?.fingerprint))
    const builds = [
      { service: 'a', release: '1' },
      { service: null, release: '2' },
    ]
    const stacks = await store.keptStacks(builds, 10)
    t.same(
      stacks.map(({ eventId }) => eventId),
      [3, 2, 0].map(index => events[index]?.id),
    )
    const [ofB, ...ofA] = stacks.map(({ key }) => ({ key, fingerprint: 'new' }))
    t.equal(await store.identify(builds, ofA), 2)
    t.same(await fingerprints(), ['new', 'old', 'new', 'old'], 'the same stack of two services is two')
    t.equal(await store.identify(builds, ofB === undefined ? [] : [ofB]), 1)
    t.same(await fingerprints(), ['new', 'old', 'new', 'new'])
  })

  await t.test('gives other fingerprints while events come in', async t => {
    const store = await openStore(t, make)
    const exception = { type: 'Error', message: 'x', stack: 'Error: x\n    at t (main.js:1:1)' }
    const batch = Array.from({ length: 200 }, () => anEvent({ release: '1', fingerprint: 'old', exception }))
    await store.append(batch)
    const [stack] = await store.keptStacks(ofRelease, 10)
    await Promise.all([
      store.append(batch),
      store.identify(ofRelease, [{ key: stack?.key ?? '', fingerprint: 'new' }]),
      store.append(batch),
    ])
    await store.identify(ofRelease, [{ key: stack?.key ?? '', fingerprint: 'new' }])
    t.match(await store.failureReleases('new'), [{ count: 600 }])
    t.same(await store.failureReleases('old'), [])
  })
}
