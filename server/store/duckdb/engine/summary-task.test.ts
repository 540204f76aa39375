import { readdirSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { NewEvent } from '../../../../shared/event.ts'
import { severities } from '../../../../shared/severity.ts'
import { requestSeries } from '../../common/metrics/request-series.ts'
import { routeMetrics } from '../../common/metrics/route-metrics.ts'
import { name, sql } from '../../common/sql.ts'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { eventReader } from '../events/event-reader.ts'
import { routeRequests } from '../events/route-requests.ts'
import { regroup, storedStacks } from '../events/stacks.ts'
import type { Source } from '../sql/source.ts'
import { eventsInIds } from '../transfer/read-events.ts'
import { type Database, openDatabase } from './database.ts'
import { OpenTransactionError } from './engine-errors.ts'
import { createEventBlocks } from './event-blocks.ts'
import { createEventGroups } from './event-groups.ts'
import { unpackCounts } from './pack-counts.ts'
import { packRequests, unpackRequests } from './pack-requests.ts'
import { createSummaryTask } from './summary-task.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const window = { fromMs: noonMs - 10 * dayMs, toMs: noonMs + 10 * dayMs }
/** Old enough for retention in some tests. */
const oldMs = noonMs - 1.5 * dayMs
const builds = [{ service: null, release: '1' }]

/** A store whose segments are summarised when the test calls `summarise`, however few events they contain. */
async function open(t: Test, folder = t.testdir()) {
  let nowMs = noonMs
  const problems: unknown[] = []
  const database = await openDatabase(folder, { memoryBytes: null, nowMs: () => nowMs, logger: undefined })
  const logger = { warn: (problem: unknown) => problems.push(problem) }
  const task = createSummaryTask(database, () => nowMs, logger, 1)
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await task.stop()
    await database.close()
  }
  t.teardown(close)
  return {
    folder,
    database,
    task,
    problems,
    close,
    async summarise() {
      await task.wake()
      t.same(problems, [])
    },
    pass(durationMs: number) {
      nowMs += durationMs
    },
    hasSummaries: () => database.segments.all().map(({ hasSummaries }) => hasSummaries),
    read: () => database.reading(undefined, readMetrics),
  }
}

/** Everything that is computed from the summaries of segments. */
async function readMetrics(source: Source) {
  const filter = { window, service: null }
  const times = [{ fromUs: window.fromMs * 1000, toUs: window.toMs * 1000 }]
  const counts: Record<string, string> = {}
  for (const segment of source.segments.all()) {
    const subset = { afterId: -1, onlyFailures: false, isCounted: true }
    for (const { fromUs, chunks } of (await source.eventBlocks(segment, times, subset, 0)) ?? []) {
      for (const { groups, group, offsetUs, count } of chunks) {
        for (const [entry, index] of group.entries()) {
          const name = JSON.stringify([segment.name, fromUs, groups[index]])
          counts[name] = `${count?.[entry]} until ${offsetUs[entry]}`
        }
      }
    }
  }
  return {
    series: await requestSeries(eventReader(source), filter, hourMs),
    routes: await routeMetrics(await routeRequests(source, filter), 100),
    services: await source.query(sql`FROM ${await source.summary('service_summary')} ORDER BY ALL`),
    counts,
  }
}

function requests(count: number, overrides: Partial<NewEvent> = {}): NewEvent[] {
  return Array.from({ length: count }, (_, index) =>
    anEvent({
      timeMs: noonMs + index * 60_000,
      release: '1',
      method: 'GET',
      route: `/${index % 3}`,
      status: index % 4 === 0 ? 500 : 200,
      durationMs: index * 1.5,
      ...overrides,
    }),
  )
}

t.test('after a restart, the summaries of a sealed segment are read instead of its events', async t => {
  const folder = t.testdir()
  const first = await open(t, folder)
  await first.database.append([...requests(50), anEvent({ timeMs: noonMs, fingerprint: 'f1' })], [])
  first.pass(dayMs)
  await first.database.append(requests(7), [])
  const expected = await first.read()
  await first.summarise()
  t.same(first.hasSummaries(), [true, false], 'only the sealed segment')
  // Changes the events but not their number, to show that the summaries are read instead of the events.
  await first.database.writing(async (connection, [segment]) => {
    await connection.run(`UPDATE ${segment?.name}.event SET service = 'other'`)
  })
  await first.close()

  const second = await open(t, folder)
  t.same(second.hasSummaries(), [true, false])
  t.strictSame(await second.read(), expected)
  second.pass(hourMs)
  await second.database.append(requests(1), [])
  t.strictSame((await second.read()).series.total.requests, 58, 'adds the events of the active segment')
})

t.test('does not summarise segments with few events', async t => {
  const { database, pass, hasSummaries } = await open(t)
  await database.append(requests(50), [])
  pass(dayMs)
  await database.append(requests(1), [])
  const task = createSummaryTask(database, () => noonMs, undefined)
  t.teardown(() => task.stop())
  await task.wake()
  t.same(hasSummaries(), [false, false])
})

t.test('stores only the smaller summaries if there are too many services or routes', async t => {
  const folder = t.testdir({ services: {}, routes: {} })
  for (const [field, count, kinds] of [
    ['services', 100_001, []],
    ['routes', 20_001, ['requests']],
  ] as const) {
    const { database, pass, read, summarise, close } = await open(t, join(folder, field))
    const many = Array.from({ length: count }, (_, index) =>
      anEvent({
        timeMs: noonMs,
        ...(field === 'services' ? { service: `s${index}` } : { route: `/${index}` }),
        status: 200,
        durationMs: 5,
      }),
    )
    await database.append(many, [])
    pass(dayMs)
    await database.append(requests(1), [])
    const expected = await read()
    await summarise()
    t.same(await storedKinds(database), kinds)
    await close()
    const reopened = await open(t, join(folder, field))
    t.same(reopened.hasSummaries(), [true, false])
    // Much faster than t.strictSame.
    t.ok(isDeepStrictEqual(await reopened.read(), expected), field)
    await reopened.close()
  }
})

/** The summaries of the first segment that are not empty. */
function storedKinds(database: Database): Promise<unknown[]> {
  return database.reading(undefined, async ({ query, segments }) => {
    const rows = await query(
      sql`SELECT kind FROM ${name(segments.all()[0]?.name ?? '')}.summary WHERE octet_length(content) > 0`,
    )
    return rows.map(({ kind }) => kind)
  })
}

/** A store with a summarised segment and an active one. */
async function openSummarised(t: Test, folder?: string) {
  const store = await open(t, folder)
  const exception = { type: 'Error', message: 'm', stack: 'Error: m\n    at pay (main.js:1:1)' }
  await store.database.append(
    [...requests(50), ...requests(5, { fingerprint: 'f1', exception }), ...requests(5, { timeMs: oldMs })],
    [],
  )
  store.pass(dayMs)
  await store.database.append(requests(7), [])
  await store.summarise()
  t.same(store.hasSummaries(), [true, false])
  return store
}

async function changeFingerprints(
  database: Database,
  connectionFrom: (connection: DuckDBConnection) => DuckDBConnection,
): Promise<void> {
  const stacks = await database.reading(undefined, source => storedStacks(source, builds, 10))
  const fingerprints = stacks.map(({ key }) => ({ key, fingerprint: 'f2' }))
  await database.writing(async (connection, segments) => {
    for (const segment of segments) await regroup(connectionFrom(connection), segment, builds, fingerprints)
  })
}

function failingToCommit(connection: DuckDBConnection): DuckDBConnection {
  return new Proxy(connection, {
    get(target, key) {
      if (key !== 'run') return Reflect.get(target, key)
      return async (...args: Parameters<DuckDBConnection['run']>) => {
        if (args[0] === 'COMMIT') throw new Error('The commit failed')
        return target.run(...args)
      }
    },
  })
}

const changes: Record<string, (database: Database) => Promise<unknown>> = {
  'source maps change fingerprints': database => changeFingerprints(database, connection => connection),
  'source maps change fingerprints after a failed commit': async database => {
    await changeFingerprints(database, failingToCommit).catch(() => {})
    await changeFingerprints(database, connection => connection)
  },
  'retention deletes events': database =>
    database.retain({ maxAgeMs: 2 * dayMs, maxBytes: 1e12 }, noonMs + dayMs),
  'events are imported': async database => {
    const all = { afterId: 0, upToId: Number.MAX_SAFE_INTEGER }
    const events = await database.reading(undefined, source => eventsInIds(source, all))
    const [first] = events
    if (first === undefined) throw new Error('The store is empty')
    await database.importEvents([{ ...first, id: first.id + 1000, service: 'imported' }])
  },
}

for (const [title, change] of Object.entries(changes)) {
  t.test(`does not use summaries after ${title}`, async t => {
    const folder = t.testdir({ store: {}, other: {} })
    const { database, read, hasSummaries, summarise, close } = await openSummarised(t, join(folder, 'store'))
    const before = await read()
    await change(database)
    t.same(hasSummaries(), [false, false])
    t.same(await storedKinds(database), [])
    const after = await read()
    t.notSame(after, before)
    await summarise()
    t.same(hasSummaries(), [false, false], 'summarises them again only after a restart')
    await close()

    const reopened = await open(t, join(folder, 'store'))
    t.same(reopened.hasSummaries(), [false, false])
    t.strictSame(await reopened.read(), after)
    await reopened.summarise()
    t.same(reopened.hasSummaries(), [true, false])
    await reopened.close()
    const summarised = await open(t, join(folder, 'store'))
    t.strictSame(await summarised.read(), after)
  })
}

t.test('does not use summaries of a segment that receives events again', async t => {
  const folder = t.testdir()
  const { close } = await openSummarised(t, folder)
  await close()
  const newest = readdirSync(folder)
    .filter(file => /^events-/.test(file))
    .sort()
    .at(-1)
  rmSync(join(folder, newest ?? ''))
  const store = await open(t, folder)
  await store.database.append(requests(3), [])
  t.same(store.hasSummaries(), [false])
  t.equal((await store.read()).series.total.requests, 63)
})

t.test('stores no outdated summaries after the store was reopened', async t => {
  const folder = t.testdir()
  const { database, pass, close } = await open(t, folder)
  await database.append([...requests(50), ...requests(5, { timeMs: oldMs })], [])
  pass(dayMs)
  await database.append(requests(1), [])
  const task = createSummaryTask(
    {
      ...database,
      async writing(work) {
        await database.retain({ maxAgeMs: 2 * dayMs, maxBytes: 1e12 }, noonMs + dayMs)
        await reopen(database)
        return database.writing(work)
      },
    },
    () => noonMs,
    undefined,
    1,
  )
  await task.wake()
  await task.stop()
  t.same(await storedKinds(database), [])
  await close()
  const reopened = await open(t, folder)
  t.equal((await reopened.read()).series.total.requests, 51)
})

/** Makes the database reopen its files, as after an error that breaks the engine. */
async function reopen(database: Database): Promise<void> {
  let isBroken = false
  await database.writing(async () => {
    if (isBroken) return
    isBroken = true
    throw new OpenTransactionError('Broken')
  })
}

t.test('once the stored counts are loaded, half-hours without events need no query', async t => {
  const folder = t.testdir()
  const { close } = await openSummarised(t, folder)
  await close()
  const { database } = await open(t, folder)
  await database.reading(undefined, async source => {
    const [segment] = source.segments.all()
    if (segment === undefined) throw new Error('The store has no segment')
    let reads = 0
    const blocks = createEventBlocks(
      query => {
        reads += 1
        return source.read(query)
      },
      { since: () => null },
    )
    const subset = { afterId: -1, onlyFailures: false, isCounted: true }
    const read = (fromMs: number) =>
      blocks.read(segment, [{ fromUs: fromMs * 1000, toUs: (noonMs + hourMs) * 1000 }], subset, 0)
    await read(noonMs)
    t.equal(reads, 1)
    await read(oldMs)
    t.equal(reads, 1)
  })
})

t.test('stores no summaries of events that change while they are being summarised', async t => {
  const { database, pass, task, hasSummaries } = await open(t)
  await database.append([...requests(50), ...requests(5, { timeMs: oldMs })], [])
  pass(dayMs)
  await database.append(requests(1), [])
  const run = task.wake()
  const retained = database.retain({ maxAgeMs: 2 * dayMs, maxBytes: 1e12 }, noonMs + dayMs)
  await Promise.all([run, retained])
  t.same(hasSummaries(), [false, false])
})

t.test('reports a segment that cannot be summarised, and tries again after an hour', async t => {
  const { database, pass, task, problems, hasSummaries } = await open(t)
  await database.append(requests(50), [])
  pass(dayMs)
  await database.append(requests(1), [])
  const rename = (from: string, to: string) =>
    database.writing(async (connection, segments) => {
      for (const { name } of segments) await connection.run(`ALTER TABLE ${name}.${from} RENAME TO ${to}`)
    })
  await rename('summary', 'other')
  await task.wake()
  t.match(problems, [{ err: Error }])
  await rename('other', 'summary')
  await task.wake()
  t.same(hasSummaries(), [false, false])
  pass(hourMs)
  await task.wake()
  t.same(hasSummaries(), [true, false])
  t.equal(problems.length, 1)
})

t.test('property: packing and unpacking does not change summaries', async t => {
  const folder = t.testdir()
  const word = fc.string({ unit: 'binary' })
  const arbitraryEvent = fc.record({
    timeMs: fc.integer({ min: noonMs - dayMs, max: noonMs + dayMs }),
    severity: fc.constantFrom(...severities),
    service: word,
    release: fc.option(word),
    method: fc.option(word),
    route: fc.option(word),
    status: fc.option(fc.integer({ min: 100, max: 599 })),
    durationMs: fc.option(fc.double({ min: 0, noNaN: true })),
    fingerprint: fc.option(word),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryEvent, { minLength: 1, maxLength: 50 }), async events => {
      const store = await open(t, await mkdtemp(join(folder, 'store-')))
      await store.database.append(events.map(anEvent), [])
      store.pass(dayMs)
      await store.database.append(requests(1), [])
      const expected = await store.read()
      await store.summarise()
      await store.close()
      const reopened = await open(t, store.folder)
      t.same(reopened.hasSummaries(), [true, false])
      t.strictSame(await reopened.read(), expected)
      await reopened.close()
    }),
    { numRuns: 10 },
  )
})

t.test('property: unpacking damaged bytes succeeds or throws an Error', async t => {
  const packed = await packRequests({ grouping: 'route', cells: [] })
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 50 }), fc.nat(packed.length), async (bytes, length) => {
      const changed = Buffer.concat([packed.subarray(0, length), bytes])
      for (const unpack of [unpackRequests, (value: Uint8Array) => unpackCounts(value, createEventGroups())])
        await unpack(changed).catch(error => t.match(error, Error))
    }),
  )
})
