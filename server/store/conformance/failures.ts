import type { Test } from 'tap'
import type { NewEvent } from '../../../shared/event.ts'
import type { FailureQuery } from '../failure-store.ts'
import { anEvent, type MakeLocation, noonMs, openStore } from './testing.ts'

const minuteMs = 60_000
const window = { fromMs: noonMs, toMs: noonMs + 2 * minuteMs }

function occurrence(fingerprint: string, atMs: number, overrides: Partial<NewEvent> = {}): NewEvent {
  return anEvent({ fingerprint, timeMs: noonMs + atMs, severity: 'error', ...overrides })
}

/** Tests failures, which are groups of events with the same fingerprint. */
export async function failures(t: Test, make: MakeLocation): Promise<void> {
  await t.test('groups occurrences into failures', async t => {
    const store = await openStore(t, make)
    const type = 'TypeError'
    await store.append([
      occurrence('aa', -minuteMs, { release: '1', exception: { type, message: 'old', stack: null } }),
      occurrence('aa', 5, { release: '2', digest: 'd1', exception: { type, message: 'new', stack: 's' } }),
      occurrence('aa', 5, {
        service: 'api',
        digest: 'd2',
        exception: { type, message: 'newest', stack: 's' },
      }),
      occurrence('bb', minuteMs, { digest: 'd3', body: 'No exception' }),
      occurrence('cc', -1),
      anEvent(),
    ])
    const aa = {
      id: 'aa',
      state: 'open',
      stateMs: null,
      mutedUntilMs: null,
      resolved: null,
      returned: null,
      type,
      message: 'newest',
      route: null,
      release: null,
      digests: ['d2', 'd1'],
      digestCount: 2,
      services: ['api', 'shop'],
      serviceCount: 2,
      count: 2,
      firstSeenMs: noonMs - minuteMs,
      lastSeenMs: noonMs + 5,
      sparkline: [2, 0],
    }
    const bb = {
      id: 'bb',
      state: 'open',
      stateMs: null,
      mutedUntilMs: null,
      resolved: null,
      returned: null,
      type: 'Error',
      message: 'No exception',
      route: null,
      release: null,
      digests: ['d3'],
      digestCount: 1,
      services: ['shop'],
      serviceCount: 1,
      count: 1,
      firstSeenMs: noonMs + minuteMs,
      lastSeenMs: noonMs + minuteMs,
      sparkline: [0, 1],
    }
    const query = { window, bucketMs: minuteMs, state: null, service: null, text: null, limit: 10 } as const
    t.strictSame((await store.failures({ ...query, sort: 'newest' })).failures, [bb, aa])
    t.strictSame((await store.failures({ ...query, sort: 'frequent' })).failures, [aa, bb])
    t.strictSame((await store.failures({ ...query, sort: 'frequent', limit: 1 })).failures, [aa])
    t.strictSame((await store.failures({ ...query, sort: 'newest', service: 'api' })).failures, [
      { ...aa, count: 1, sparkline: [1, 0] },
    ])
    t.match(await store.failureCounts(window), { open: { failures: 2, occurrences: 3 } })
    t.strictSame(await store.failure('aa', minuteMs, window), aa)
    t.match(await store.failure('cc', minuteMs, window), {
      count: 0,
      sparkline: [0, 0],
      lastSeenMs: noonMs - 1,
    })
    t.equal(await store.failure('dd', minuteMs, window), null)
    t.strictSame(await store.failureReleases('aa'), {
      releases: [
        { release: null, count: 1, firstSeenMs: noonMs + 5, lastSeenMs: noonMs + 5 },
        { release: '2', count: 1, firstSeenMs: noonMs + 5, lastSeenMs: noonMs + 5 },
        { release: '1', count: 1, firstSeenMs: noonMs - minuteMs, lastSeenMs: noonMs - minuteMs },
      ],
      omitted: 0,
    })
    t.strictSame(await store.failureReleases('dd'), { releases: [], omitted: 0 })
  })

  await t.test('filters and sorts failures, and counts the matching failures by state', async t => {
    const store = await openStore(t, make)
    const error = (type: string, message: string) => ({ type, message, stack: null })
    await store.append([
      // An old failure that becomes rarer.
      occurrence('old', -minuteMs, { exception: error('TimeoutError', 'api') }),
      occurrence('old', 1, { exception: error('TimeoutError', 'api') }),
      occurrence('old', 2, { exception: error('TimeoutError', 'api') }),
      occurrence('old', minuteMs + 1, { exception: error('TimeoutError', 'api'), release: '2' }),
      // A new failure that becomes more frequent.
      occurrence('new', minuteMs, {
        service: 'pay',
        exception: error('PaymentError', 'Card declined'),
        digest: '2338471',
        method: 'POST',
        route: '/charges/:id',
        release: '7',
      }),
      occurrence('muted', 3, { service: 'pay', exception: error('RangeError', 'No card') }),
    ])
    await store.failureStates.setState('muted', 'muted', noonMs)
    const query = { window, bucketMs: minuteMs, state: null, service: null, text: null, limit: 10 } as const
    const ids = async (overrides: Partial<FailureQuery>) =>
      (await store.failures({ ...query, sort: 'newest', ...overrides })).failures.map(({ id }) => id)
    t.same(await ids({ sort: 'newest' }), ['old', 'new', 'muted'])
    t.same(await ids({ sort: 'frequent' }), ['old', 'new', 'muted'])
    t.same(await ids({ sort: 'trend' }), ['new', 'old', 'muted'])
    t.same(await ids({ sort: 'age' }), ['new', 'muted', 'old'])
    for (const text of ['CARD', 'error: card', '338471', 'charges/', '"error: card"'])
      t.ok((await ids({ text })).includes('new'), text)
    t.same(await ids({ text: 'pay' }), ['new', 'muted'], 'text also matches the service')
    for (const text of ['nothing', '"card error"', '"error" "card"', '"'])
      t.same(await ids({ text }), [], text)
    t.same(await ids({ text: 'card', state: 'open' }), ['new'])
    t.same(await ids({ text: 'o', limit: 1, sort: 'age' }), ['new'])
    t.same(await ids({ sort: 'frequent', limit: 2, offset: 1 }), ['new', 'muted'])
    t.same(await ids({ text: 'o', sort: 'age', limit: 1, offset: 1 }), ['muted'])
    t.same(await ids({ offset: 3 }), [])
    t.match(await store.failures({ ...query, sort: 'newest', text: 'card', state: 'open', limit: 1 }), {
      failures: [{ id: 'new', route: 'POST /charges/:id', release: '7' }],
      counts: { open: { failures: 1, occurrences: 1 }, muted: { failures: 1, occurrences: 1 } },
      services: ['pay', 'shop'],
    })
    t.match(await store.failures({ ...query, sort: 'newest', service: 'shop' }), {
      failures: [{ id: 'old', count: 3, release: '2', route: null }],
      counts: { open: { failures: 1, occurrences: 3 }, muted: { failures: 0, occurrences: 0 } },
      services: ['pay', 'shop'],
    })
  })

  await t.test('truncates long messages only in lists', async t => {
    const store = await openStore(t, make)
    const long = `a${'😀'.repeat(10_000)} end`
    const emoji = '😀'.repeat(500)
    await store.append([
      occurrence('thrown', 0, { exception: { type: 'Error', message: long, stack: null } }),
      occurrence('said', 0, { body: long }),
      occurrence('short', 0, { body: emoji }),
      occurrence('silent', 0, { exception: { type: 'Error', message: '', stack: null }, body: long }),
    ])
    const query = { window, bucketMs: minuteMs, state: null, service: null, text: null, limit: 10 } as const
    const messages = async (text: string | null) => {
      const { failures } = await store.failures({ ...query, sort: 'newest', text })
      return failures.map(({ id, message }) => [id, message])
    }
    const cut = `a${'😀'.repeat(499)}`
    t.same(await messages(null), [
      ['said', cut],
      ['short', emoji],
      ['silent', ''],
      ['thrown', cut],
    ])
    t.same(
      await messages('😀 END'),
      [
        ['said', cut],
        ['thrown', cut],
      ],
      'searches the whole message',
    )
    t.equal((await store.failure('thrown', minuteMs, window))?.message, long)
  })

  await t.test('returns all services of a failure with all its fingerprints', async t => {
    const store = await openStore(t, make)
    const names = Array.from({ length: 130 }, (_, index) => `id-${String(index).padStart(3, '0')}`)
    await store.append([
      ...names.toReversed().map(service => occurrence('aa', 0, { service })),
      occurrence('aa', 1, { service: 'id-000', release: '2' }),
      occurrence('bb', 0, { service: 'Web' }),
      occurrence('cc', 0, { service: 'other' }),
    ])
    t.same(await store.failureServices('aa'), names)
    await store.failureStates.merge('bb', 'aa')
    for (const id of ['aa', 'bb']) t.same(await store.failureServices(id), ['Web', ...names], id)
    t.same(await store.failureServices('unknown'), [])
  })

  await t.test('limits the listed services and releases of a failure, but counts all of them', async t => {
    const store = await openStore(t, make)
    const names = Array.from({ length: 130 }, (_, index) => `id-${String(index).padStart(3, '0')}`)
    await store.append(
      names.map((name, index) => occurrence('aa', index, { service: name, release: name, digest: name })),
    )
    const failure = await store.failure('aa', minuteMs, window)
    t.same(failure?.services, names.slice(0, 100))
    t.equal(failure?.serviceCount, 130)
    t.equal(failure?.digests.length, 5)
    const { releases, omitted } = await store.failureReleases('aa')
    t.same(
      releases.map(({ release }) => release),
      names.toReversed().slice(0, 100),
    )
    t.equal(omitted, 30)
  })

  await t.test('returns the five newest digests of a failure, and counts all of them', async t => {
    const store = await openStore(t, make)
    await store.append(
      Array.from({ length: 9 }, (_, index) => occurrence('aa', index, { digest: `d${index % 7}` })),
    )
    t.match(await store.failure('aa', minuteMs, window), {
      digests: ['d1', 'd0', 'd6', 'd5', 'd4'],
      digestCount: 7,
    })
  })

  await t.test('finds failures by digest, with or without an @E suffix', async t => {
    const store = await openStore(t, make)
    await store.append([
      occurrence('old', 0, { digest: '4163817072' }),
      occurrence('new', 1, { digest: '4163817072@E352' }),
      occurrence('own', 0, { digest: 'Ab12' }),
      occurrence('odd', 0, { digest: 'x@E' }),
      // In Next.js, a browser error has the digest of the server failure that caused it.
      occurrence('opaque', 2, { digest: '4163817072', source: 'browser' }),
      occurrence('only', 2, { digest: 'b1', source: 'browser' }),
    ])
    for (const digest of ['4163817072', '4163817072@E352', '4163817072@E9']) {
      t.same(await store.failuresOfDigest(digest), ['new', 'old', 'opaque'], digest)
    }
    t.same(await store.failuresOfDigest('b1'), ['only'])
    t.same(await store.failuresOfDigest('Ab12'), ['own'])
    t.same(await store.failuresOfDigest('x@E'), ['odd'])
    for (const digest of ['ab12', '416381707', '@E352', '', "' OR ''='", '%']) {
      t.same(await store.failuresOfDigest(digest), [], digest)
    }
  })

  await t.test(
    'a digest leads to a failure with an exception, even if a line without one is newer',
    async t => {
      const store = await openStore(t, make)
      const digest = '2338471'
      const exception = { type: 'PaymentError', message: 'card declined', stack: 's' }
      await store.append([
        occurrence('thrown', 0, { digest, exception }),
        // A line that an application logs when it shows the error page.
        occurrence('shown', 2, { digest, body: 'Error boundary shown' }),
        occurrence('older', 1, { digest, exception }),
        occurrence('opaque', 3, { digest, source: 'browser', exception: { ...exception, stack: null } }),
      ])
      t.same(await store.failuresOfDigest(digest), ['older', 'thrown', 'shown', 'opaque'])
      await store.append([occurrence('thrown', 4, { digest, source: 'browser', exception })])
      t.same(
        await store.failuresOfDigest(digest),
        ['older', 'thrown', 'shown', 'opaque'],
        'an event from a browser does not make a failure with a server event newer',
      )
      await store.failureStates.merge('thrown', 'shown')
      t.same(await store.failuresOfDigest(digest), ['older', 'shown', 'opaque'])
    },
  )

  await t.test('failureImpact counts the affected requests and users', async t => {
    const store = await openStore(t, make)
    const trace = 'a'.repeat(32)
    await store.append([
      occurrence('f', 0, { traceId: trace, requestId: 'r1', attributes: { 'user.id': 'u1' } }),
      occurrence('f', 0, { traceId: trace, requestId: 'r2', attributes: { user: { id: 'u1' } } }),
      occurrence('f', 0, { requestId: 'r3', attributes: { userId: 42 } }),
      occurrence('f', 0, { requestId: 'r3', attributes: { enduser: { id: 'u3' } } }),
      occurrence('f', 0, { attributes: { userId: '[redacted]', id: 7 } }),
      occurrence('g', 0, { requestId: 'r4', attributes: { userId: 'u4' } }),
    ])
    t.strictSame(await store.failureImpact('f'), {
      occurrences: 5,
      requests: 2,
      withoutRequest: 1,
      users: 3,
      withoutUser: 1,
    })
  })
}
