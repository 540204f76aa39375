import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { addressOf, startClickHouse } from '../../scripts/test/clickhouse.ts'
import { eventSources, type LogEvent } from '../../shared/event.ts'
import { severities } from '../../shared/severity.ts'
import { openClickHouseStore } from '../store/clickhouse/store.ts'
import { anEvent, noonMs } from '../store/conformance/testing.ts'
import { fill, readEverything, writtenMs } from '../store/duckdb/fixtures/contents.ts'
import { openDuckDbStore } from '../store/duckdb/store.ts'
import type { Store } from '../store/store.ts'
import { copySourceMaps } from './copy-source-maps.ts'
import { copyState } from './copy-state.ts'
import { allEventsOf, copyQuietly, eventsWithIds, notAborted } from './testing.ts'

const clickHouse = await startClickHouse(t)
const folders = t.testdir()
let databases = 0

async function newClickHouse(t: Test, nowMs: () => number): Promise<Store> {
  databases += 1
  const address = addressOf(clickHouse, `copy_${process.pid}_${databases}`)
  const store = await openClickHouseStore(address, { nowMs, takesLease: false })
  t.teardown(store.close)
  return store
}

async function newDuckDb(t: Test, nowMs: () => number): Promise<Store> {
  databases += 1
  const folder = join(folders, String(databases))
  const store = await openDuckDbStore({ folder, nowMs, preparesSegments: false })
  t.teardown(store.close)
  return store
}

async function copyAll(source: Store, target: Store) {
  await copySourceMaps(source, target, notAborted)
  const events = await copyQuietly(source, target)
  return { ...events, ...(await copyState(source, target)) }
}

t.test('everything is the same after a copy to ClickHouse and back', async t => {
  const nowMs = () => writtenMs
  const first = await newDuckDb(t, nowMs)
  await fill(first)
  const middle = await newClickHouse(t, nowMs)
  t.match(await copyAll(first, middle), { stored: 15, differences: [], onlyInTarget: {} })
  t.match(await copyAll(first, middle), { stored: 0, changed: 0, equalHours: 1 })
  const last = await newDuckDb(t, nowMs)
  t.match(await copyAll(middle, last), { stored: 15, differences: [], onlyInTarget: {} })
  const withoutKeys = async (store: Store) => ({ ...(await readEverything(store)), requestKeys: [] })
  t.strictSame(await withoutKeys(last), await withoutKeys(first))
  t.strictSame(await withoutKeys(middle), await withoutKeys(first))
  for (const store of [middle, last]) {
    const [event] = await store.append([anEvent()])
    const events = await allEventsOf(store)
    t.equal(events.at(-1)?.id, event?.id, 'the next event has the greatest id')
  }
})

t.test('after a copy, only new failures and failures that return are reported', async t => {
  let nowMs = noonMs
  const duckDb = await newDuckDb(t, () => nowMs)
  await duckDb.failureStates.init()
  await duckDb.append(
    Array.from({ length: 300 }, (_, index) => anEvent({ fingerprint: `f00dfeed0${index % 3}` })),
  )
  const { occurrences, position } = await duckDb.failureStates.scan(1000)
  const known = occurrences.map(({ failureId }) => failureId)
  await duckDb.failureStates.commit({ known, returned: [], position })
  await duckDb.failureStates.resolve('f00dfeed01', { atMs: nowMs, release: null, oldReleases: [] })
  nowMs += 1000
  for (const target of [await newClickHouse(t, () => nowMs), await newDuckDb(t, () => nowMs)]) {
    await copyAll(duckDb, target)
    t.same((await target.failureStates.scan(1000)).occurrences, [])
    await target.append([anEvent({ fingerprint: 'f00dfeed01' }), anEvent({ fingerprint: 'f00dfeed09' })])
    t.same(
      (await target.failureStates.scan(1000)).occurrences.map(({ failureId }) => failureId),
      ['f00dfeed01', 'f00dfeed09'],
    )
  }
})

t.test('each engine continues an interrupted copy, and a repeated copy stores only new events', async t => {
  const nowMs = () => noonMs
  const events = eventsWithIds(
    Array.from({ length: 3600 }, (_, index) => index + (index % 3) * 4096 * 3_600_000),
  ).sort((a, b) => a.id - b.id)
  for (const [source, target] of [
    [await newDuckDb(t, nowMs), await newClickHouse(t, nowMs)],
    [await newClickHouse(t, nowMs), await newDuckDb(t, nowMs)],
  ] satisfies [Store, Store][]) {
    await source.importEvents(events.slice(0, 3300))
    const stopping = new AbortController()
    const interrupted: Store = {
      ...target,
      async importEvents(batch) {
        const result = await target.importEvents(batch)
        stopping.abort(new Error('Stop'))
        return result
      },
    }
    await t.rejects(copyQuietly(source, interrupted, stopping.signal), /Stop/)
    await copyQuietly(source, target)
    await source.importEvents(events.slice(3300))
    t.match(await copyQuietly(source, target), { stored: 300, differences: [], onlyInTarget: 0 })
    t.match(await copyQuietly(source, target), { stored: 0, equalHours: 3, hours: 3 })
    t.strictSame(await allEventsOf(target), events)
  }
})

t.test('all engines compute the same checksum for the same events', async t => {
  const nowMs = () => noonMs
  const duckDb = await newDuckDb(t, nowMs)
  const database = await newClickHouse(t, nowMs)
  const last = await newDuckDb(t, nowMs)
  let nextId = 1
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 20 }), async events => {
      const numbered: LogEvent[] = events.map(each => ({ ...each, id: nextId++ * 4096 * 50_000 }))
      await duckDb.importEvents(numbered)
      t.match(await copyQuietly(duckDb, database), { stored: numbered.length, differences: [] })
      t.match(await copyQuietly(database, last), { stored: numbered.length, differences: [] })
    }),
    { numRuns: 8 },
  )
  t.match(await copyQuietly(last, duckDb), { stored: 0, regrouped: 0, differences: [], onlyInTarget: 0 })
  t.strictSame(await allEventsOf(last), await allEventsOf(duckDb))
})

t.test('fails if the source lacks the content of a source map, and copies the map later', async t => {
  const source = await newDuckDb(t, () => noonMs)
  const broken: Store = { ...source, sourceMaps: { ...source.sourceMaps, read: async () => null } }
  const map = { id: 'm', release: '1', path: 'a.js', debugId: null, service: null, uploadedMs: noonMs }
  await source.sourceMaps.put(map, readFileSync(import.meta.filename), 1e9)
  const target = await newDuckDb(t, () => noonMs)
  await t.rejects(copySourceMaps(broken, target, notAborted), /source map a.js of release 1/)
  t.equal(await copySourceMaps(source, target, notAborted), 1)
  t.same(await target.sourceMaps.list(), await source.sourceMaps.list())
})

const text = fc.string({ unit: 'binary', maxLength: 30 }).map(text => text.replace(/^\ufeff+/, ''))
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })

const event = fc.record(
  {
    timeMs: fc.integer({ min: -1e15, max: 4e15 }).map(timeUs => timeUs / 1000),
    severity: fc.constantFrom(...severities),
    service: text,
    release: maybe(text),
    source: fc.constantFrom(...eventSources),
    body: text,
    requestId: maybe(text),
    traceId: maybe(text),
    spanId: maybe(text),
    method: maybe(text),
    route: maybe(text),
    status: maybe(fc.integer({ min: 0, max: 999 })),
    durationMs: maybe(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
    exception: maybe(fc.record({ type: text, message: text, stack: maybe(text) }, { noNullPrototype: true })),
    digest: maybe(text),
    fingerprint: maybe(text),
    attributes: fc
      .dictionary(text, fc.jsonValue({ stringUnit: 'binary' }), { noNullPrototype: true })
      .map(attributes => JSON.parse(JSON.stringify(attributes))),
  },
  { noNullPrototype: true },
)
