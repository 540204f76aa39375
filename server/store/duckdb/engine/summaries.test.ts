import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { Query } from '../../../../shared/query.ts'
import type { Window } from '../../../../shared/range.ts'
import { anEvent } from '../../conformance/testing.ts'
import { openMemoryStore } from '../../memory/store.ts'
import type { Store } from '../../store.ts'
import { openDuckDbStore } from '../store.ts'

const dayMs = 86_400_000
const startMs = Date.UTC(2026, 0, 1)
const builds = [{ service: null, release: '1' }]

/** One step of the test: events arrive, a day passes, source maps change fingerprints, or retention deletes events. */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      fingerprint: fc.constantFrom(null, 'f1', 'f2', 'f3'),
      digest: fc.constantFrom(null, '11@E1', '11', '22'),
      service: fc.constantFrom('shop', 'mail'),
      release: fc.constantFrom(null, '1', '2'),
      source: fc.constantFrom('ndjson' as const, 'browser' as const),
      traceId: fc.constantFrom(null, 'a'.repeat(32)),
      requestId: fc.constantFrom(null, 'r1', 'r2'),
      attributes: fc.constantFrom({}, { userId: 'u1' }, { user: { id: 'u2' } }, { userId: '[redacted]' }),
      agoMs: fc.integer({ min: 0, max: 3 * dayMs }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'day' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('regroup' as const),
      fingerprint: fc.constantFrom('f1', 'f3', 'f4'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('retain' as const), days: fc.integer({ min: 1, max: 3 }) }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

async function apply(store: Store, step: Step, nowMs: number): Promise<unknown> {
  if (step.kind === 'append') {
    const { kind: _, agoMs, ...fields } = step
    const exception = { type: 'Error', message: 'm', stack: 'Error: m\n    at t (main.js:1:1)' }
    const hasStack = fields.fingerprint !== null
    return store.append([
      anEvent({ ...fields, timeMs: nowMs - agoMs, exception: hasStack ? exception : null }),
    ])
  }
  if (step.kind === 'regroup') {
    const stacks = await store.storedStacks(builds, 100)
    return store.regroup(
      builds,
      stacks.map(({ key }) => ({ key, fingerprint: step.fingerprint })),
    )
  }
  if (step.kind === 'retain') return store.retain({ maxAgeMs: step.days * dayMs, maxBytes: 1e12 }, nowMs)
  return null
}

/** A page of occurrences, which is read only from the segments that contain the failure. */
async function occurrences(store: Store, id: string, window: Window) {
  const ofFailure: Query = { kind: 'field', field: 'failure', comparison: '=', value: id }
  const query: Query = { kind: 'and', left: { kind: 'all' }, right: ofFailure }
  const { events } = await store.events({ window, query, limit: 3 })
  return events.map(({ timeMs, fingerprint, release }) => ({ timeMs, fingerprint, release }))
}

/** All results computed from summaries. */
async function summarised(store: Store, nowMs: number): Promise<unknown> {
  const window = { fromMs: startMs - 10 * dayMs, toMs: nowMs + dayMs }
  return {
    seenSources: await store.seenSources(),
    failures: await store.failures({
      window,
      bucketMs: dayMs,
      sort: 'newest',
      state: null,
      service: null,
      text: null,
      limit: 10,
    }),
    releasesOfFailures: await Promise.all(['f1', 'f2', 'f3', 'f4'].map(id => store.failureReleases(id))),
    impacts: await Promise.all(['f1', 'f2', 'f3', 'f4'].map(id => store.failureImpact(id))),
    pages: await Promise.all(['f1', 'f2', 'f3', 'f4'].map(id => occurrences(store, id, window))),
    releases: await store.releases(['shop', 'mail']),
    digests: await Promise.all(['11', '22@E2', '33'].map(digest => store.failuresOfDigest(digest))),
  }
}

t.test('property: results from summaries equal those of the in-memory store', async t => {
  const folder = t.testdir()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async steps => {
      let clockMs = startMs
      const nowMs = () => clockMs
      const stores = [
        await openDuckDbStore({ folder: await mkdtemp(join(folder, 'store-')), nowMs }),
        openMemoryStore({ nowMs }),
      ]
      try {
        for (const step of steps) {
          // The next event starts a new segment.
          if (step.kind === 'day') clockMs += dayMs
          const [result, expectedResult] = await Promise.all(stores.map(store => apply(store, step, clockMs)))
          if (typeof result === 'number') t.equal(result, expectedResult)
          const [actual, expected] = await Promise.all(stores.map(store => summarised(store, clockMs)))
          t.strictSame(actual, expected)
        }
      } finally {
        for (const store of stores) await store.close()
      }
    }),
    { numRuns: 6 },
  )
})

t.test('counts all events of the active segment, summarised or not', async t => {
  const store = await openDuckDbStore({ folder: t.testdir() })
  t.teardown(() => store.close())
  const stack = 'Error: m\n    at t (main.js:1:1)'
  const occurrence = anEvent({
    release: '1',
    fingerprint: 'f1',
    exception: { type: 'Error', message: 'm', stack },
    requestId: null,
    traceId: null,
    attributes: { userId: 'u1' },
  })
  for (const total of [30_000, 60_000, 90_000, 120_000]) {
    await store.append(Array.from({ length: 30_000 }, () => occurrence))
    const [first, second] = await Promise.all([store.failureReleases('f1'), store.failureReleases('f1')])
    t.match(first, { releases: [{ release: '1', count: total }] })
    t.same(second, first)
    t.match(await store.failureImpact('f1'), { occurrences: total, users: 1, withoutRequest: total })
  }
  const [known] = await store.storedStacks(builds, 1)
  await store.regroup(builds, [{ key: known?.key ?? '', fingerprint: 'f2' }])
  t.same(await store.failureReleases('f1'), { releases: [], omitted: 0 })
  t.match(await store.failureReleases('f2'), { releases: [{ release: '1', count: 120_000 }] })
})
