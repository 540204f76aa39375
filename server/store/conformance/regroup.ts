import type { Test } from 'tap'
import { anEvent, type MakeLocation, openStore } from './testing.ts'

/** Release 1 of any service. */
const ofRelease = [{ service: null, release: '1' }]

/** Tests changing the fingerprints of stored events after their source maps are uploaded. */
export async function regroup(t: Test, make: MakeLocation): Promise<void> {
  await t.test(
    'returns one event for each stack of a release, and regroups all events of a stack',
    async t => {
      const store = await openStore(t, make)
      const thrown = (
        place: string,
        message: string,
        overrides: Partial<Parameters<typeof anEvent>[0]> = {},
      ) => {
        const stack = `Error: ${message}\n    at t (${place})`
        return anEvent({
          release: '1',
          fingerprint: 'f1',
          exception: { type: 'Error', message, stack },
          ...overrides,
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
      const stacks = await store.storedStacks(ofRelease, 100)
      t.same(
        stacks.map(({ eventId }) => eventId),
        [3, 2, 1, 5].map(idOf),
        'the newest event of each stack, newest first, and then those that are found only by debug ids',
      )
      t.same(await store.storedStacks(ofRelease, 1), stacks.slice(0, 1))
      t.same(await store.storedStacks([], 100), [])

      const identities = stacks.map(({ key }, index) => ({ key, fingerprint: `new${index}` }))
      const olds = ['f1', 'f2', 'f3']
      t.same(
        new Set(await store.fingerprintsAfterRegroup(ofRelease, identities, olds)),
        new Set(['f1', 'f3']),
      )
      t.same(await store.fingerprintsAfterRegroup(ofRelease, identities, ['f2', 'unknown']), [])
      t.same(await store.fingerprintsAfterRegroup(ofRelease, [], ['f2']), ['f2'])
      t.same(await store.fingerprintsAfterRegroup(ofRelease, identities, []), [])
      t.equal(await store.regroup(ofRelease, identities), 5)
      const fingerprints = await Promise.all(
        events.map(async ({ id }) => (await store.event(id))?.fingerprint),
      )
      t.same(fingerprints, ['new2', 'new2', 'new1', 'new0', 'f1', 'new3', 'f1', 'f3', null])
      t.equal(await store.regroup(ofRelease, identities), 0, 'the keys have changed')
      t.match((await store.failureReleases('new2')).releases, [{ release: '1', count: 2 }])
    },
  )

  await t.test('regroups only the events of the given builds, and distinguishes services', async t => {
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
    const stacks = await store.storedStacks(builds, 10)
    t.same(
      stacks.map(({ eventId }) => eventId),
      [3, 2, 0].map(index => events[index]?.id),
    )
    const [ofB, ...ofA] = stacks.map(({ key }) => ({ key, fingerprint: 'new' }))
    t.equal(await store.regroup(builds, ofA), 2)
    t.same(
      await fingerprints(),
      ['new', 'old', 'new', 'old'],
      'equal stacks of different services have different keys',
    )
    t.equal(await store.regroup(builds, ofB === undefined ? [] : [ofB]), 1)
    t.same(await fingerprints(), ['new', 'old', 'new', 'new'])
  })

  await t.test('distinguishes stacks that do not contain the message of the exception', async t => {
    const store = await openStore(t, make)
    const message = 'a message that is longer than the position in the stack'
    const thrown = (place: string) =>
      anEvent({
        release: '1',
        fingerprint: 'old',
        exception: {
          type: 'Error',
          message,
          stack: `Error: …\n    at t (main.js:${place})\n    at u (main.js:2:1)`,
        },
      })
    const events = await store.append([thrown('1:10'), thrown('1:99')])
    const stacks = await store.storedStacks(ofRelease, 10)
    t.same(
      stacks.map(({ eventId }) => eventId),
      events.map(({ id }) => id).toReversed(),
    )
    const [newest] = stacks
    t.equal(await store.regroup(ofRelease, [{ key: newest?.key ?? '', fingerprint: 'new' }]), 1)
  })

  await t.test('regroups while events are appended', async t => {
    const store = await openStore(t, make)
    const exception = { type: 'Error', message: 'x', stack: 'Error: x\n    at t (main.js:1:1)' }
    const batch = Array.from({ length: 200 }, () => anEvent({ release: '1', fingerprint: 'old', exception }))
    await store.append(batch)
    const [stack] = await store.storedStacks(ofRelease, 10)
    await Promise.all([
      store.append(batch),
      store.regroup(ofRelease, [{ key: stack?.key ?? '', fingerprint: 'new' }]),
      store.append(batch),
    ])
    await store.regroup(ofRelease, [{ key: stack?.key ?? '', fingerprint: 'new' }])
    t.match((await store.failureReleases('new')).releases, [{ count: 600 }])
    t.same((await store.failureReleases('old')).releases, [])
  })
}
