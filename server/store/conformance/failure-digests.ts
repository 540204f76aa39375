import type { Test } from 'tap'
import type { NewEvent } from '../../../shared/event.ts'
import { anEvent, type MakeLocation, noonMs, openStore, testWindow } from './testing.ts'

function occurrence(fingerprint: string, overrides: Partial<NewEvent> = {}): NewEvent {
  return anEvent({ fingerprint, severity: 'error', ...overrides })
}

const redacted = { type: 'Error', message: 'Minified React error #441', stack: null }
const inBrowser = { digest: 'd1', source: 'browser', service: 'web' } as const

/** Tests how failures are joined by digest. */
export async function failureDigests(t: Test, make: MakeLocation): Promise<void> {
  await t.test('returns the distinct digests of occurrences since the last committed scan', async t => {
    const { append, failureStates, failureDigests } = await openStore(t, make)
    await append([occurrence('old', { digest: 'd0' })])
    await failureStates.init()
    await append([
      occurrence('f', { digest: 'd1@E5' }),
      occurrence('f', { digest: 'd1', service: 'api' }),
      occurrence('redacted', { digest: 'd1', source: 'browser', exception: redacted }),
      occurrence('thrown', { digest: 'd1', source: 'browser', exception: { ...redacted, stack: 'at f' } }),
      occurrence('g'),
      anEvent({ digest: 'd2' }),
    ])
    const { position } = await failureStates.scan(10)
    await append([occurrence('later', { digest: 'd3' })])
    const scanned = await failureDigests.scanned(position)
    t.strictSame(
      scanned.sort((a, b) => a.fingerprint.localeCompare(b.fingerprint)),
      [
        { digest: 'd1', fingerprint: 'f', isFromBrowser: false, message: null },
        { digest: 'd1', fingerprint: 'redacted', isFromBrowser: true, message: redacted.message },
        { digest: 'd1', fingerprint: 'thrown', isFromBrowser: true, message: null },
      ],
    )
    await failureStates.commit({ known: [], returned: [], position })
    t.strictSame(await failureDigests.scanned(position), [])
  })

  await t.test('a redacted report belongs to the server event with an exception', async t => {
    const { append, failureDigests } = await openStore(t, make)
    const exception = { type: 'PaymentError', message: 'card declined', stack: 's' }
    await append([
      occurrence('older', { digest: 'd1', exception, timeMs: noonMs - 2 }),
      occurrence('thrown', { digest: 'd1@E5', exception, timeMs: noonMs - 1 }),
      occurrence('shown', { digest: 'd1', body: 'Error boundary shown' }),
      occurrence('redacted', { digest: 'd1', exception, source: 'browser', timeMs: noonMs + 1 }),
    ])
    t.strictSame(await failureDigests.serverFingerprints(['d1']), new Map([['d1', 'thrown']]))
  })

  await t.test('finds the fingerprint of the newest server event with each digest', async t => {
    const { append, failureStates, failureDigests } = await openStore(t, make)
    await append([
      occurrence('a', { digest: 'd1@E5' }),
      occurrence('b', { digest: 'd1', timeMs: noonMs - 1 }),
      occurrence('redacted', { digest: 'd1', source: 'browser', timeMs: noonMs + 1 }),
      occurrence('only', { digest: 'd2', source: 'browser' }),
      occurrence('c', { digest: "d'3" }),
      occurrence('e', { digest: 'd5' }),
    ])
    await failureStates.merge('c', 'd')
    const found = await failureDigests.serverFingerprints(['d1', 'd2', "d'3", 'd4'])
    t.strictSame([...found].sort(), [
      ["d'3", 'c'],
      ['d1', 'a'],
    ])
    t.strictSame(await failureDigests.serverFingerprints([]), new Map())
  })

  await t.test('a failure is still reported as new after a fingerprint follows it', async t => {
    const { append, failureStates, failureDigests, failure, failureId } = await openStore(t, make)
    await failureStates.init()
    await append([
      occurrence('redacted', { ...inBrowser, timeMs: noonMs + 1 }),
      occurrence('f', { digest: 'd1' }),
    ])
    await failureDigests.follow(new Map([['redacted', 'f']]))
    t.equal(await failureId('redacted'), 'f')
    t.strictSame(await failureDigests.followed(['redacted', 'f', 'x']), new Map([['redacted', 'f']]))
    t.match(await failure('f', 60_000, testWindow), { count: 2 })
    const { occurrences, position } = await failureStates.scan(10)
    t.match(occurrences, [
      { failureId: 'f', followed: 'f', service: 'web', resolution: null },
      { failureId: 'f', followed: null, service: 'shop', resolution: null },
    ])
    await failureStates.commit({ known: ['f'], returned: [], position })
    await append([occurrence('redacted', inBrowser)])
    t.strictSame((await failureStates.scan(10)).occurrences, [])
    t.strictSame(await failureDigests.followed(['f']), new Map([['f', null]]))
    t.match(await failureDigests.scanned(position), [])
  })

  await t.test('a fingerprint that follows no known fingerprint is a new failure', async t => {
    const { append, failureStates, failureDigests, failure } = await openStore(t, make)
    await failureStates.init()
    await append([occurrence('r1', inBrowser), occurrence('r2', inBrowser)])
    await failureDigests.follow(
      new Map([
        ['r1', 'waiting'],
        ['r2', 'waiting'],
      ]),
    )
    const { occurrences, position } = await failureStates.scan(10)
    t.match(occurrences, [{ failureId: 'waiting', followed: 'waiting', resolution: null }])
    t.equal(occurrences.length, 1)
    await failureStates.commit({ known: ['waiting'], returned: [], position })
    t.match(await failure('waiting', 60_000, testWindow), { id: 'waiting', count: 2 })
  })

  await t.test(
    'a known fingerprint that follows none stays in its failure; others can follow another',
    async t => {
      const { failureStates, failureDigests, failureId } = await openStore(t, make)
      await failureStates.markKnown(['f'])
      await failureDigests.follow(new Map([['f', 'other']]))
      t.equal(await failureId('f'), 'f')
      await failureDigests.follow(new Map([['redacted', 'waiting']]))
      await failureStates.setState('waiting', 'muted', noonMs)
      await failureStates.merge('f', 'g')
      await failureDigests.follow(new Map([['redacted', 'f']]))
      t.equal(await failureId('redacted'), 'g', 'the failure of the fingerprint that it follows')
      t.strictSame(await failureDigests.followed(['redacted']), new Map([['redacted', 'f']]))
      await failureDigests.follow(new Map())
    },
  )

  await t.test('returns whether occurrences follow another fingerprint', async t => {
    const { append, failureStates, failureDigests } = await openStore(t, make)
    await failureStates.init()
    await append([occurrence('f', { digest: 'd1', release: '1.0' })])
    await failureDigests.follow(new Map([['redacted', 'f']]))
    await failureStates.resolve('f', { atMs: noonMs, release: '1.1', oldReleases: [] })
    await append([
      occurrence('redacted', { ...inBrowser, release: '2.0' }),
      occurrence('f', { ...inBrowser, release: '2.0' }),
    ])
    const expected = [
      { failureId: 'f', followed: 'f', release: '2.0' },
      { failureId: 'f', followed: null, release: '2.0' },
    ]
    const { occurrences, position } = await failureStates.scan(10)
    t.match(occurrences, expected)
    await failureStates.commit({ known: [], returned: [], position })
    t.match(await failureStates.occurrencesSinceResolved('f'), expected)
  })

  await t.test('a fingerprint moves with the one that it follows', async t => {
    const { append, failureDigests, failureId, manualGrouping } = await openStore(t, make)
    await append([
      occurrence('a'),
      occurrence('b', { exception: { type: 'Error', message: 'cause', stack: null } }),
      occurrence('r1', { ...inBrowser, exception: redacted, timeMs: noonMs + 1 }),
      occurrence('r2', inBrowser),
      occurrence('c'),
    ])
    await failureDigests.follow(
      new Map([
        ['r1', 'b'],
        ['r2', 'waiting'],
      ]),
    )
    t.same(await manualGrouping.fingerprints('b', 10), { fingerprints: [], total: 0 })
    t.equal(await manualGrouping.split('r1'), null)
    await manualGrouping.merge('b', 'a')
    await manualGrouping.merge('c', 'a')
    await manualGrouping.merge('waiting', 'a')
    const ids = () => Promise.all(['b', 'r1', 'c', 'waiting', 'r2'].map(each => failureId(each)))
    t.same(await ids(), ['a', 'a', 'a', 'a', 'a'])
    const { fingerprints, total } = await manualGrouping.fingerprints('a', 1)
    t.match(fingerprints, [{ fingerprint: 'b', message: 'cause', count: 2, lastSeenMs: noonMs + 1 }])
    t.equal(total, 4)
    t.equal(await manualGrouping.split('r1'), null)
    t.equal(await manualGrouping.split('b'), 'b')
    t.equal(await manualGrouping.split('waiting'), 'waiting')
    t.same(await ids(), ['b', 'b', 'a', 'waiting', 'waiting'])
    t.equal(await manualGrouping.isMerged('b'), false)
    t.equal(await manualGrouping.isMerged('waiting'), false)
  })

  await t.test('forgets the fingerprints that follow others and have no stored events', async t => {
    const { append, failureDigests, failureStates, failureGrouping } = await openStore(t, make)
    await failureDigests.forgetUnused()
    await append([occurrence('f'), occurrence('r1', inBrowser)])
    await failureStates.markKnown(['f', 'old'])
    await failureDigests.follow(
      new Map([
        ['r1', 'f'],
        ['r2', 'f'],
      ]),
    )
    t.match(await failureGrouping.withoutSignature(10), [{ fingerprint: 'f' }], 'they need no signature')
    await failureDigests.forgetUnused()
    t.strictSame([...(await failureDigests.followed(['r1', 'r2', 'f', 'old']))].sort(), [
      ['f', null],
      ['old', null],
      ['r1', 'f'],
    ])
  })

  await t.test('describes a failure by its newest occurrence that contains the cause', async t => {
    const { append, failureDigests, failure, failures } = await openStore(t, make)
    const exception = (message: string) => ({ type: 'PaymentError', message, stack: null })
    await append([
      occurrence('f', { exception: exception('older'), timeMs: noonMs - 2 }),
      occurrence('f', { exception: exception('card declined'), timeMs: noonMs - 1, digest: 'd1' }),
      occurrence('redacted', { exception: redacted, digest: 'd1', source: 'browser' }),
    ])
    const query = {
      window: testWindow,
      bucketMs: 60_000,
      sort: 'newest',
      service: null,
      text: null,
      limit: 9,
    } as const
    t.match(await failure('redacted', 60_000, testWindow), { message: 'Minified React error #441' })
    await failureDigests.follow(new Map([['redacted', 'f']]))
    const expected = { type: 'PaymentError', message: 'card declined', lastSeenMs: noonMs, count: 3 }
    t.match(await failure('f', 60_000, testWindow), expected)
    t.match(await failures({ ...query, state: null }), { failures: [expected] })
  })
}
