import type { Test } from 'tap'
import type { NewEvent } from '../../../shared/event.ts'
import { anEvent, type MakeLocation, noonMs, openStore, testWindow } from './testing.ts'

function occurrence(fingerprint: string, overrides: Partial<NewEvent> = {}): NewEvent {
  return anEvent({ fingerprint, severity: 'error', ...overrides })
}

/** Tests how failures are joined by digest. */
export async function failureDigests(t: Test, make: MakeLocation): Promise<void> {
  await t.test('returns the distinct digests of occurrences since the last committed scan', async t => {
    const { append, failureStates, failureDigests } = await openStore(t, make)
    await append([occurrence('old', { digest: 'd0' })])
    await failureStates.init()
    await append([
      occurrence('f', { digest: 'd1@E5' }),
      occurrence('f', { digest: 'd1', service: 'api' }),
      occurrence('redacted', { digest: 'd1', source: 'browser' }),
      occurrence('g'),
      anEvent({ digest: 'd2' }),
    ])
    const { position } = await failureStates.scan(10)
    await append([occurrence('later', { digest: 'd3' })])
    const scanned = await failureDigests.scanned(position)
    t.strictSame(
      scanned.sort((a, b) => a.fingerprint.localeCompare(b.fingerprint)),
      [
        { digest: 'd1', fingerprint: 'f', isFromBrowser: false },
        { digest: 'd1', fingerprint: 'redacted', isFromBrowser: true },
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
    t.strictSame(await failureDigests.serverFailures(['d1']), new Map([['d1', 'thrown']]))
  })

  await t.test('finds the failure of the newest server event with each digest', async t => {
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
    const found = await failureDigests.serverFailures(['d1', 'd2', "d'3", 'd4'])
    t.strictSame([...found].sort(), [
      ["d'3", 'd'],
      ['d1', 'a'],
    ])
    t.strictSame(await failureDigests.serverFailures([]), new Map())
  })

  await t.test('a failure is still reported as new after a fingerprint is added to it', async t => {
    const { append, failureStates, failureDigests, failure, failureId } = await openStore(t, make)
    await failureStates.init()
    await append([
      occurrence('redacted', { digest: 'd1', source: 'browser', timeMs: noonMs + 1 }),
      occurrence('f', { digest: 'd1' }),
    ])
    await failureDigests.add('redacted', 'f')
    t.equal(await failureId('redacted'), 'f')
    t.strictSame(await failureDigests.failureIds(['redacted', 'f', 'x']), new Map([['redacted', 'f']]))
    t.match(await failure('f', 60_000, testWindow), { count: 2 })
    const { occurrences, position } = await failureStates.scan(10)
    t.match(occurrences, [{ failureId: 'f', resolution: null }])
    t.equal(occurrences.length, 1)
    await failureStates.commit({ known: ['f'], returned: [], position })
    await failureDigests.add('f', 'other')
    await failureDigests.add('second', 'redacted')
    t.equal(await failureId('f'), 'f', 'a known fingerprint stays in its failure')
    t.equal(await failureId('second'), 'f')
  })

  await t.test('a browser error that joined a failure by digest does not count as a return', async t => {
    const { append, failureStates, failureDigests } = await openStore(t, make)
    await failureStates.init()
    await append([occurrence('f', { digest: 'd1', release: '1.0' })])
    await failureDigests.add('redacted', 'f')
    await failureStates.resolve('f', { atMs: noonMs, release: '1.1', oldReleases: [] })
    const inBrowser = { digest: 'd1', source: 'browser', service: 'web', release: '2.0' } as const
    const exception = { type: 'Error', message: 'Minified React error #441', stack: null }
    await append([occurrence('redacted', { ...inBrowser, exception })])
    t.match((await failureStates.scan(10)).occurrences, [])
    await append([occurrence('f', { ...inBrowser, exception: { ...exception, stack: 'Error\n    at x' } })])
    t.match((await failureStates.scan(10)).occurrences, [{ failureId: 'f', release: '2.0' }])
  })

  await t.test('describes a failure by its newest occurrence that contains the cause', async t => {
    const { append, failureDigests, failure, failures } = await openStore(t, make)
    const exception = (message: string) => ({ type: 'PaymentError', message, stack: null })
    const redacted = { type: 'Error', message: 'Minified React error #441', stack: null }
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
    await failureDigests.add('redacted', 'f')
    const expected = { type: 'PaymentError', message: 'card declined', lastSeenMs: noonMs, count: 3 }
    t.match(await failure('f', 60_000, testWindow), expected)
    t.match(await failures({ ...query, state: null }), { failures: [expected] })
  })
}
