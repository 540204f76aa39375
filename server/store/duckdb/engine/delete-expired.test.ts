import { readdir } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { number } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { openDuckDbStore } from '../store.ts'
import { openDatabase } from './database.ts'

const hourMs = 3_600_000

t.test('retention deletes a sealed segment whose events expired one by one', async t => {
  const folder = t.testdir()
  let nowMs = noonMs
  const store = await openDuckDbStore({ folder, nowMs: () => nowMs })
  t.teardown(() => store.close())
  await store.append([anEvent({ timeMs: noonMs + 48 * hourMs, body: 'clock ran ahead' })])
  nowMs += 20 * hourMs
  await store.append([anEvent({ timeMs: noonMs, body: 'late' })])
  nowMs += 16 * hourMs
  await store.append([anEvent({ timeMs: nowMs })])

  const segments = async () =>
    (await readdir(folder)).filter(file => /^events-\d+\.duckdb$/.test(file)).length
  t.equal(await segments(), 2)
  const limits = { maxAgeMs: 24 * hourMs, maxBytes: 1e12 }
  t.equal(await store.countExpired(limits, nowMs), 2)
  t.equal(await store.retain(limits, nowMs), 2)
  t.equal(await segments(), 1)
})

t.test(
  'deletes individual expired events only once an hour, because each deletion invalidates all caches',
  async t => {
    let nowMs = noonMs
    const store = await openDuckDbStore({ folder: t.testdir(), nowMs: () => nowMs })
    t.teardown(() => store.close())
    const minutes = Array.from({ length: 60 }, (_, index) => 60_000 * (index + 1))
    await store.append(minutes.map(agoMs => anEvent({ timeMs: noonMs - agoMs })))
    nowMs += hourMs
    await store.append([anEvent({ timeMs: nowMs })])

    const limits = { maxAgeMs: 24 * hourMs, maxBytes: 1e12 }
    const deleted: number[] = []
    for (const laterMs of minutes) {
      const expired = await store.countExpired(limits, noonMs + 23 * hourMs + laterMs)
      deleted.push(await store.retain(limits, noonMs + 23 * hourMs + laterMs))
      t.equal(deleted.at(-1), expired)
    }
    t.same(
      deleted.filter(count => count > 0),
      [60],
    )
  },
)

t.test('a query can still read the summaries that it found before the last run of retention', async t => {
  const { database, nowMs } = await twoSegments(t)

  const count = await database.reading(undefined, async source => {
    const summary = await source.summary('service_summary')
    return async () => number((await source.query(sql`SELECT sum(count) AS sum FROM ${summary}`))[0]?.sum)
  })
  t.equal(await count(), 2)
  // Simulates new source maps, which change the fingerprints of events.
  for (const segment of database.segments.all()) segment.revision += 1
  await database.retain({ maxAgeMs: 1000 * hourMs, maxBytes: 1e12 }, nowMs)
  t.equal(await count(), 2)
})

t.test('frees the memory of outdated summaries', async t => {
  const services = Array.from({ length: 3000 }, (_, index) => `service ${index}`)
  const { database, nowMs } = await twoSegments(t, services)
  const limits = { maxAgeMs: 1000 * hourMs, maxBytes: 1e12 }
  const usedBytes = () =>
    database.reading(undefined, async ({ summary, query }) => {
      const [found] = await query(sql`SELECT count(*) AS count FROM ${await summary('service_summary')}`)
      t.equal(number(found?.count), services.length + 1)
      const [memory] = await query(sql`SELECT sum(memory_usage_bytes) AS bytes FROM duckdb_memory()
        WHERE tag = 'IN_MEMORY_TABLE'`)
      return number(memory?.bytes)
    })
  const before = await usedBytes()
  for (let run = 0; run < 20; run++) {
    for (const segment of database.segments.all()) segment.revision += 1
    await usedBytes()
    await database.retain(limits, nowMs)
  }
  const after = await usedBytes()
  t.ok(after <= 3 * before, `${before} bytes, then ${after}`)
})

t.test('frees the cached events of deleted segments even if the deletion of rows fails', async t => {
  const { database, nowMs } = await twoSegments(t)
  const [expired, active] = database.segments.all()
  if (expired === undefined || active === undefined) throw new Error('There are fewer than two segments')

  const times = [{ fromUs: noonMs * 1000, toUs: noonMs * 1000 + 1 }]
  const readExpired = () =>
    database.reading(undefined, ({ eventBlocks }) =>
      eventBlocks(expired, times, { afterId: -1, onlyFailures: false, isCounted: false }, 10),
    )
  t.equal((await readExpired())?.length, 1)
  await database.writing(connection => connection.run(`DROP TABLE ${active.name}.request`))
  await t.rejects(database.retain({ maxAgeMs: 24 * hourMs, maxBytes: 1e12 }, nowMs), /request/)
  await t.rejects(readExpired(), new RegExp(expired.name), 'the events must be read again')
})

/** Opens a store with two segments, 30 hours apart. The first has an event from each service, the second a single event. */
async function twoSegments(t: Test, services = ['shop']) {
  let nowMs = noonMs
  const options = { memoryBytes: null, nowMs: () => nowMs, logger: undefined }
  const database = await openDatabase(t.testdir(), options)
  t.teardown(() => database.close())
  await database.append(
    services.map(service => anEvent({ timeMs: nowMs, service })),
    [],
  )
  nowMs += 30 * hourMs
  await database.append([anEvent({ timeMs: nowMs })], [])
  return { database, nowMs }
}
