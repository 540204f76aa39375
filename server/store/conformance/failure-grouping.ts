import type { Test } from 'tap'
import type { NewSignature } from '../failure-grouping.ts'
import { anEvent, type MakeLocation, noonMs, openStore } from './testing.ts'

function aSignature(fingerprint: string, overrides: Partial<NewSignature> = {}): NewSignature {
  return {
    fingerprint,
    service: 'shop',
    release: '1.0',
    subject: 'subject',
    frames: [
      { functionName: 'total', file: 'lib/cart.js' },
      { functionName: null, file: `it's "${fingerprint}".js` },
    ],
    seenMs: noonMs,
    replaces: null,
    ...overrides,
  }
}

const ofShop = { service: 'shop', subject: null }

/** Tests signatures. */
export async function failureGrouping(t: Test, make: MakeLocation): Promise<void> {
  await t.test('stores signatures, and finds them by service and subject, newest first', async t => {
    const location = make(t)
    const first = await location.open()
    await first.failureGrouping.storeSignatures(
      [
        aSignature('a'),
        aSignature('b', { seenMs: noonMs + 1, subject: 'other', release: null }),
        aSignature('c', { service: 'api' }),
      ],
      9,
    )
    await first.failureGrouping.storeSignatures([], 9)
    await first.close()
    const store = await location.open()
    t.teardown(() => store.close())
    await store.append([
      anEvent({ fingerprint: 'a', release: '1.1' }),
      anEvent({ fingerprint: 'a', release: '1.0' }),
      anEvent({ fingerprint: 'a', release: '9.0', service: 'api' }),
      anEvent({ fingerprint: 'b', release: '1.1' }),
    ])
    const found = await store.failureGrouping.signatures(ofShop, 10)
    t.strictSame(found, [
      {
        fingerprint: 'b',
        failureId: 'b',
        subject: 'other',
        frames: aSignature('b').frames,
        releases: [null, '1.1'],
        isReplaced: false,
      },
      {
        fingerprint: 'a',
        failureId: 'a',
        subject: 'subject',
        frames: aSignature('a').frames,
        releases: ['1.0', '1.1'],
        isReplaced: false,
      },
    ])
    t.strictSame(await store.failureGrouping.signatures(ofShop, 1), found.slice(0, 1))
    t.match(await store.failureGrouping.signatures({ service: 'shop', subject: 'subject' }, 10), [
      { fingerprint: 'a' },
    ])
    t.same(await store.failureGrouping.signatures({ service: 'lost', subject: null }, 10), [])
  })

  await t.test("a fingerprint that replaces another joins the replaced fingerprint's failure", async t => {
    const location = make(t)
    const first = await location.open()
    await first.failureStates.init()
    await first.failureGrouping.storeSignatures([aSignature('a')], 9)
    await first.failureStates.merge('a', 'id')
    await first.append([anEvent({ fingerprint: 'b', release: '1.1' })])
    await first.failureGrouping.storeSignatures([aSignature('b', { release: '1.1' })], 9)
    await first.failureDigests.follow(new Map([['follower', 'b']]))
    await first.failureGrouping.storeSignatures([aSignature('b', { release: '1.1', replaces: 'a' })], 9)
    await first.failureGrouping.storeSignatures([aSignature('id', { replaces: 'a' })], 9)
    await first.close()
    const store = await location.open()
    t.teardown(() => store.close())
    t.equal(await store.failureId('b'), 'id')
    t.equal(await store.failureId('follower'), 'id', 'a fingerprint moves with the one that it follows')
    t.equal(await store.failureId('id'), 'id', 'a known fingerprint stays in its failure')
    t.same((await store.failureStates.scan(10)).occurrences, [], 'the failure is not reported as new')
    const found = await store.failureGrouping.signatures(ofShop, 10)
    t.same(
      found.map(({ fingerprint, failureId, isReplaced }) => [fingerprint, failureId, isReplaced]),
      [
        ['a', 'id', true],
        ['b', 'id', false],
        ['id', 'id', false],
      ],
    )
  })

  await t.test('lists known fingerprints without a signature, newest first', async t => {
    const store = await openStore(t, make)
    const stored = await store.append(
      ['a', 'b', 'a', 'c', 'unknown'].map(fingerprint => anEvent({ fingerprint })),
    )
    await store.failureStates.markKnown(['a', 'b', 'c', 'without events'])
    await store.failureGrouping.storeSignatures([aSignature('c')], 9)
    const { failureGrouping } = store
    t.strictSame(await failureGrouping.withoutSignature(10), [
      { fingerprint: 'a', eventId: stored[2]?.id },
      { fingerprint: 'b', eventId: stored[1]?.id },
    ])
    t.match(await failureGrouping.withoutSignature(1), [{ fingerprint: 'a' }])
  })

  await t.test(
    'beyond the limit, deletes signatures without frames, then the oldest ones of open failures',
    async t => {
      const store = await openStore(t, make)
      await store.failureStates.resolve('resolved', { atMs: noonMs, release: null, oldReleases: [] })
      await store.failureGrouping.storeSignatures(
        [aSignature('resolved', { seenMs: 1 }), aSignature('old', { seenMs: 2 })],
        9,
      )
      await store.failureGrouping.storeSignatures(
        [aSignature('new'), aSignature('newer', { seenMs: noonMs + 1 })],
        3,
      )
      const found = await store.failureGrouping.signatures(ofShop, 10)
      t.same(
        found.map(({ fingerprint }) => fingerprint),
        ['newer', 'new', 'resolved'],
      )
      const frameless = { frames: [], seenMs: noonMs + 2 }
      await store.failureStates.resolve('frameless', { atMs: noonMs, release: null, oldReleases: [] })
      await store.failureGrouping.storeSignatures([aSignature('frameless', frameless)], 3)
      t.same(
        (await store.failureGrouping.signatures(ofShop, 10)).map(({ fingerprint }) => fingerprint),
        ['newer', 'new', 'resolved'],
        'a signature without frames, which matches no stack, does not displace another one',
      )
    },
  )
}
