import t, { type Test } from 'tap'
import { addressOf, startClickHouse } from '../../../scripts/test/clickhouse.ts'
import { createBackgroundTask } from '../../background-task.ts'
import { number, text } from '../common/rows.ts'
import { sql } from '../common/sql.ts'
import { idAt } from '../common/time.ts'
import { allEvents, anEvent, noonMs, testWindow } from '../conformance/testing.ts'
import { type Store, StoreUnavailableError } from '../store.ts'
import type { Undo } from '../undo-store.ts'
import { connect } from './engine/connection.ts'
import { openEngine } from './engine/engine.ts'
import { maxInsertMs } from './engine/insert.ts'
import type { ServerAddress } from './engine/server-address.ts'
import { openClickHouseStore } from './store.ts'
import { workspace } from './workspace.ts'

const server = await startClickHouse(t)
let databases = 0

/**
 * A new database. `open` connects another replica to it, `records` counts the stored entries of a collection, `addRecord`
 * stores an entry as another version or another server would, `contents` lists the source maps with stored contents, and
 * `deleteContents` deletes the contents of all source maps.
 */
function makeDatabase(t: Test): {
  address: ServerAddress
  open(options?: { nowMs?: () => number }): Promise<Store>
  records(collection: string): Promise<number>
  addRecord(record: Readonly<Record<string, string | number>>): Promise<void>
  contents(): Promise<string[]>
  deleteContents(): Promise<void>
} {
  databases += 1
  const address = addressOf(server, `replicas_${process.pid}_${databases}`)
  return {
    address,
    async open(options) {
      const store = await openClickHouseStore(address, options)
      t.teardown(store.close)
      return store
    },
    async records(collection) {
      const connection = connect(address)
      const [row] = await connection.select(
        sql`SELECT count() AS records FROM record FINAL WHERE collection = ${collection}`,
      )
      await connection.close()
      return number(row?.records)
    },
    async addRecord({ collection, key, ...others }) {
      const connection = connect(address)
      const columns = Object.keys(others)
      await connection.insert(
        'record',
        ['collection', 'key', ...columns],
        [[collection, key, ...Object.values(others)]],
      )
      await connection.close()
    },
    async contents() {
      const connection = connect(address)
      const rows = await connection.select(sql`SELECT DISTINCT id FROM source_map_part ORDER BY id`)
      await connection.close()
      return rows.map(row => text(row.id))
    },
    async deleteContents() {
      const connection = connect(address)
      await connection.change(sql`TRUNCATE TABLE source_map_part`)
      await connection.close()
    },
  }
}

t.test('replicas that start at the same time create the tables together', async t => {
  const { open } = makeDatabase(t)
  const stores = await Promise.all(Array.from({ length: 5 }, () => open({ nowMs: () => noonMs })))
  const batches = await Promise.all(stores.map(store => store.append([anEvent(), anEvent()])))
  const ids = batches.flat().map(({ id }) => id)
  t.equal(new Set(ids).size, 10, 'equal clocks do not produce equal ids')
  for (const store of stores) {
    const { events } = await store.events({ window: testWindow, query: allEvents, limit: 20 })
    t.same(new Set(events.map(({ id }) => id)), new Set(ids))
  }
})

t.test('a replica sees the changes of another replica', async t => {
  const { open } = makeDatabase(t)
  const [a, b] = await Promise.all([open(), open()])
  const search = { id: 'search-1', name: 'Errors', view: '?q=error', createdMs: noonMs }
  await a.savedSearches.save(search)
  await b.replicas.refresh()
  t.same(await b.savedSearches.list(), [search])
  await b.savedSearches.remove(search.id)
  await a.replicas.refresh()
  t.same(await a.savedSearches.list(), [])

  const fingerprint = '0123456789'
  await a.append([anEvent({ fingerprint })])
  await a.failureStates.setState(fingerprint, 'muted', noonMs)
  await b.replicas.refresh()
  t.equal((await b.failure(fingerprint, 60_000, testWindow))?.state, 'muted')
  const map = { id: 'map-1', release: '1', path: 'a.js', debugId: null, service: null, uploadedMs: noonMs }
  t.match(await a.sourceMaps.put(map, Buffer.from('{}'), 1000), { isNew: true })
  t.match(await b.sourceMaps.put(map, Buffer.from('{}'), 1000), { isNew: false })
  t.ok(b.replicas.delayMs > 2 * maxInsertMs, 'events fingerprinted without the map may wait for two inserts')
  t.same(Buffer.from((await b.sourceMaps.read(map.id, 0, 10)) ?? []).toString(), '{}')
})

t.test('a replica sees changes that follow a record from a server whose clock was ahead', async t => {
  const { open, addRecord } = makeDatabase(t)
  const [a, b] = await Promise.all([open(), open()])
  const early = { name: 'early', value: 'from a server whose clock was ahead', changedMs: noonMs }
  const storedUs = (Date.now() + 3_600_000) * 1000
  await addRecord({
    collection: 'settings',
    key: early.name,
    value: JSON.stringify(early),
    version: 1,
    is_deleted: 0,
    stored_us: storedUs,
  })
  t.same(await a.settings.list(), [early])
  await b.settings.save([{ name: 'later', value: '1' }], noonMs)
  t.same(await a.settings.list(), [early, { name: 'later', value: '1', changedMs: noonMs }])
})

t.test('a replica ignores the collections and entries of a newer version', async t => {
  const { open, addRecord } = makeDatabase(t)
  const store = await open({ nowMs: () => noonMs })
  const search = { id: 'search-1', name: 'Errors', view: '?q=error', createdMs: noonMs }
  await store.savedSearches.save(search)
  await addRecord({ collection: 'newer', key: 'a', value: '1', version: 1, is_deleted: 0 })
  const newer = { collection: 'savedSearches', key: search.id, version: idAt(noonMs + 1), is_deleted: 0 }
  await addRecord({ ...newer, value: JSON.stringify({ ...search, view: { query: 'error' } }) })
  const setting = { name: 'logLevel', value: 'debug', changedMs: noonMs }
  await store.settings.save([{ name: 'logLevel', value: 'debug' }], noonMs)
  t.same(await store.settings.list(), [setting])
  t.same(await store.savedSearches.list(), [])
  const restarted = await open()
  t.same(await restarted.settings.list(), [setting], 'after a restart')
  t.same(await restarted.savedSearches.list(), [], 'after a restart')
})

t.test("recording a token's use does not undo the token's removal by another replica", async t => {
  const { open, addRecord } = makeDatabase(t)
  let clockMs = noonMs
  const store = await open({ nowMs: () => clockMs })
  const token = { id: 't1', name: 'shop', createdMs: noonMs, services: null, expiresMs: null }
  await store.tokens.add({ ...token, scopes: ['ingest'] }, 'hash')
  clockMs += 1000
  await store.tokens.recordUse(new Map([['t1', noonMs]]))
  // The other replica began the removal earlier, but stores it later.
  await addRecord({
    collection: 'tokens',
    key: 't1',
    value: 'null',
    version: idAt(noonMs + 500),
    is_deleted: 1,
  })
  t.same(await store.tokens.list(), [])
  t.same(await (await open()).tokens.list(), [], 'on another replica')
})

t.test('marking a source map as applied does not undo its deletion by another replica', async t => {
  const { open, addRecord } = makeDatabase(t)
  let clockMs = noonMs
  const store = await open({ nowMs: () => clockMs })
  const map = { id: 'map-1', release: '1', path: 'a.js', debugId: null, service: null, uploadedMs: noonMs }
  await store.sourceMaps.put(map, Buffer.from('{}'), 1000)
  clockMs += 1000
  await store.sourceMaps.markApplied([map.id])
  await addRecord({
    collection: 'sourceMaps',
    key: map.id,
    value: 'null',
    version: idAt(noonMs + 500),
    is_deleted: 1,
  })
  t.same(await store.sourceMaps.list(), [])
  await store.sourceMaps.put(map, Buffer.from('{}'), 1000)
  t.match(await store.sourceMaps.list(), [{ id: map.id, isApplied: false }], 'the new map is not applied')
})

t.test('another upload restores the deleted content of a source map', async t => {
  const { open, deleteContents } = makeDatabase(t)
  const { sourceMaps } = await open()
  const map = { id: 'map-1', release: '1', path: 'a.js', debugId: null, service: null, uploadedMs: noonMs }
  await sourceMaps.put(map, Buffer.from('{}'), 1000)
  await deleteContents()
  t.equal(await sourceMaps.read(map.id, 0, 10), null)
  t.match(await sourceMaps.put(map, Buffer.from('{}'), 1000), { isNew: false })
  t.same(Buffer.from((await sourceMaps.read(map.id, 0, 10)) ?? []).toString(), '{}')
})

t.test(
  'stores the content of a source map that another replica deletes while the map is uploaded again',
  async t => {
    const { address, open } = makeDatabase(t)
    const other = await open()
    const map = { id: 'map-1', release: '1', path: 'a.js', debugId: null, service: null, uploadedMs: noonMs }
    const content = Buffer.from('{}')
    await other.sourceMaps.put(map, content, 1000)
    const engine = await openEngine(address, { nowMs: Date.now, takesLease: false })
    t.teardown(engine.close)
    const { sourceMaps } = workspace(
      {
        ...engine,
        async select(...args) {
          const storedParts = await engine.select(...args)
          await other.sourceMaps.put({ ...map, id: 'map-2' }, content, content.length)
          return storedParts
        },
      },
      Date.now,
    )
    t.match(await sourceMaps.put(map, content, 1000), { isNew: true })
    t.same(Buffer.from((await other.sourceMaps.read(map.id, 0, 10)) ?? []).toString(), '{}')
  },
)

t.test('retention deletes the content of a source map ten minutes after the map', async t => {
  const { open, addRecord, contents } = makeDatabase(t)
  const store = await open({ nowMs: () => noonMs })
  const map = { release: '1', path: 'a.js', debugId: null, service: null, uploadedMs: noonMs }
  for (const id of ['map-1', 'map-2']) await store.sourceMaps.put({ id, ...map }, Buffer.from('{}'), 1000)
  await addRecord({
    collection: 'sourceMaps',
    key: 'map-1',
    value: 'null',
    version: idAt(noonMs + 1000),
    is_deleted: 1,
  })
  const limits = { maxAgeMs: 1e12, maxBytes: 1e12 }
  const beforeCorrectionMs = noonMs + 3_600_000
  for (const nowMs of [beforeCorrectionMs, noonMs, noonMs + 599_999]) {
    await store.retain(limits, nowMs)
    t.same(await contents(), ['map-1', 'map-2'], 'the map may be about to be stored')
  }
  await store.retain(limits, noonMs + 600_000)
  t.same(await contents(), ['map-2'])
})

t.test('reads the token uses and applied source maps that older versions stored', async t => {
  const { open, addRecord } = makeDatabase(t)
  const token = { id: 't1', name: 'shop', createdMs: 1, services: null, expiresMs: null, hash: 'hash' }
  const map = { id: 'map-1', release: '1', path: 'a.js', debugId: null, service: null, uploadedMs: 1 }
  const store = await open()
  for (const [collection, value] of [
    ['tokens', { ...token, scopes: ['ingest'], usedMs: 5 }],
    ['sourceMaps', { ...map, sizeBytes: 1, isApplied: true }],
  ] as const) {
    await addRecord({ collection, key: value.id, value: JSON.stringify(value), version: 1, is_deleted: 0 })
  }
  t.match(await store.tokens.list(), [{ usedMs: 5 }])
  t.match(await store.sourceMaps.list(), [{ isApplied: true }])
  await store.tokens.recordUse(new Map([['t1', 4]]))
  t.match(await store.tokens.list(), [{ usedMs: 5 }])
  await store.tokens.recordUse(new Map([['t1', 6]]))
  t.match(await store.tokens.list(), [{ usedMs: 6 }])
})

t.test("the later of two changes wins, even if its replica's clock is behind", async t => {
  const { open } = makeDatabase(t)
  const ahead = await open({ nowMs: () => noonMs + 1000 })
  const behind = await open({ nowMs: () => noonMs })
  await ahead.settings.save([{ name: 'logLevel', value: 'debug' }], noonMs)
  await behind.settings.save([{ name: 'logLevel', value: 'warn' }], noonMs)
  const expected = [{ name: 'logLevel', value: 'warn', changedMs: noonMs }]
  t.same(await ahead.settings.list(), expected)
  t.same(await behind.settings.list(), expected)
})

t.test(
  'stores concurrent changes to different entries, and all replicas agree on changes to the same entry',
  async t => {
    const { open } = makeDatabase(t)
    const stores = await Promise.all([open(), open(), open()])
    await Promise.all(
      stores.flatMap((store, replica) => [
        store.settings.save([{ name: `own${replica}`, value: String(replica) }], noonMs),
        store.settings.save([{ name: 'shared', value: String(replica) }], noonMs),
      ]),
    )
    const [first, ...others] = await Promise.all(stores.map(store => store.settings.list()))
    t.same(
      first?.map(({ name }) => name),
      ['own0', 'own1', 'own2', 'shared'],
    )
    for (const other of others) t.same(other, first)
  },
)

t.test('a change can be undone once, on any replica, for an hour', async t => {
  const { open } = makeDatabase(t)
  let nowMs = noonMs
  const [a, b] = [await open({ nowMs: () => nowMs }), await open({ nowMs: () => nowMs })]
  const undo: Undo = { kind: 'restore setting', name: 'LOG_LEVEL', value: 'info' }
  const same = async (given: Undo) => given
  const undone = await a.undos.add(undo, 'admin')
  t.notOk(await b.undos.has(undone, 'member'))
  t.ok(await b.undos.has(undone, 'admin'))
  t.same(await b.undos.undoOnce(undone, 'admin', same), undo)
  t.notOk(await a.undos.has(undone, 'admin'))
  t.equal(await a.undos.undoOnce(undone, 'admin', same), null)

  const expired = await a.undos.add(undo, 'admin')
  nowMs += 3_600_000
  t.ok(await b.undos.has(expired, 'admin'))
  nowMs += 1
  t.equal(await b.undos.undoOnce(expired, 'admin', same), null)
})

t.test('retention deletes expired undos from the database', async t => {
  const { open, records } = makeDatabase(t)
  const store = await open({ nowMs: () => noonMs })
  await store.undos.add({ kind: 'restore preferences', former: { theme: 'dark' } }, 'viewer')
  const limits = { maxAgeMs: 1e12, maxBytes: 1e12 }
  await store.retain(limits, noonMs + 3_600_000)
  t.equal(await records('undos'), 1)
  await store.retain(limits, noonMs + 3_600_001)
  t.equal(await records('undos'), 0)
})

t.test('pagination continues on another replica', async t => {
  const { open } = makeDatabase(t)
  const [a, b] = await Promise.all([open({ nowMs: () => noonMs + 1000 }), open({ nowMs: () => noonMs })])
  const stored = [
    ...(await a.append([anEvent({ body: 'one' }), anEvent({ body: 'two' })])),
    ...(await b.append([anEvent({ body: 'three' }), anEvent({ body: 'four' })])),
  ]
  const found: number[] = []
  let before: string | undefined
  for (const store of [a, b, a, b]) {
    const page = await store.events({ window: testWindow, query: allEvents, limit: 1, before })
    found.push(...page.events.map(({ id }) => id))
    before = page.older ?? undefined
  }
  t.equal(before, undefined, 'the last page has no cursor')
  t.same([...found].sort(), stored.map(({ id }) => id).sort())
})

/**
 * Resolves when the condition is met. Checks the condition whenever the replica may have seen changes by others, one check
 * at a time.
 */
function seen({ replicas }: Store, isMet: () => boolean | Promise<boolean>): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = createBackgroundTask({
      async run(signal) {
        if (!(await isMet()) || signal.aborted) return
        for (const stop of stops) stop()
        void check.stop()
        resolve()
      },
      onError: reject,
    })
    const stops = [replicas.onEvents, replicas.onState, replicas.onLease].map(add =>
      add(() => void check.wake()),
    )
    void check.wake()
  })
}

t.test(
  "the live feed of each replica delivers every event exactly once, even if the replicas' clocks differ",
  async t => {
    const { open } = makeDatabase(t)
    const [ahead, behind] = await Promise.all([
      open({ nowMs: () => noonMs + 1000 }),
      open({ nowMs: () => noonMs }),
    ])
    for (const store of [ahead, behind]) {
      const found: number[] = []
      await store.replicas.refresh()
      let { position } = await store.since(null, { query: allEvents, limit: 0 })
      const read = async () => {
        const update = await store.since(position, { query: allEvents, limit: 100 })
        position = update.position
        found.push(...update.events.map(({ id }) => id))
      }
      const stored: number[] = []
      for (const writer of [ahead, behind, ahead, behind]) {
        const events = await writer.append([anEvent(), anEvent()])
        stored.push(...events.map(({ id }) => id))
        await read()
      }
      await seen(store, async () => {
        await read()
        return found.length >= stored.length
      })
      t.same([...found].sort(), [...stored].sort())
    }
  },
)

t.test('a failure is detected even if an event with a greater id was examined earlier', async t => {
  const { open } = makeDatabase(t)
  const [ahead, behind] = await Promise.all([
    open({ nowMs: () => noonMs + 1000 }),
    open({ nowMs: () => noonMs }),
  ])
  await ahead.failureStates.init()
  const scan = async () => {
    const { occurrences, position } = await ahead.failureStates.scan(1)
    const known = occurrences.map(({ failureId }) => failureId)
    await ahead.failureStates.commit({ known, returned: [], position })
    return known
  }
  await ahead.append([anEvent({ fingerprint: 'first' })])
  t.same(await scan(), ['first'])
  await behind.append([anEvent({ fingerprint: 'second' }), anEvent({ fingerprint: 'third' })])
  const found: string[] = []
  await seen(ahead, async () => {
    found.push(...(await scan()), ...(await scan()))
    return found.length >= 2
  })
  t.same(found, ['second', 'third'])
})

t.test('a scan includes all events that any replica stored before the scan', async t => {
  const { open } = makeDatabase(t)
  const [a, b] = await Promise.all([open(), open()])
  await b.failureStates.init()
  await a.append([anEvent({ fingerprint: 'first' })])
  await b.append([anEvent({ fingerprint: 'second' })])
  const { occurrences } = await b.failureStates.scan(10)
  t.same(
    occurrences.map(({ failureId }) => failureId),
    ['first', 'second'],
  )
})

/** Scans for occurrences, and commits the scan. Returns the ids of their failures. */
async function scan({ failureStates }: Store): Promise<string[]> {
  const { occurrences, position } = await failureStates.scan(10)
  const known = occurrences.map(({ failureId }) => failureId)
  await failureStates.commit({ known, returned: [], position })
  return known
}

t.test('events are found even if the clock of another replica is far ahead', async t => {
  const { open } = makeDatabase(t)
  const [ahead, behind] = [await open({ nowMs: () => noonMs + 900_000 }), await open({ nowMs: () => noonMs })]
  await behind.failureStates.init()
  const { position } = await ahead.since(null, { query: allEvents, limit: 0 })
  const [first] = await ahead.append([anEvent({ fingerprint: 'first' })])
  t.same(await scan(behind), ['first'])
  const [second] = await behind.append([anEvent({ fingerprint: 'second' })])
  t.same(await scan(behind), ['second'])
  await ahead.replicas.refresh()
  const { events } = await ahead.since(position, { query: allEvents, limit: 10 })
  t.same(
    events.map(({ id }) => id),
    [first?.id, second?.id],
  )
})

t.test('a replica with a clock far ahead does not hide events that are being stored', async t => {
  const { open } = makeDatabase(t)
  const [ahead, behind] = [await open({ nowMs: () => noonMs + 900_000 }), await open({ nowMs: () => noonMs })]
  await behind.failureStates.init()
  await behind.append([anEvent()])
  await ahead.append([anEvent({ fingerprint: 'first' })])
  t.same(await scan(ahead), ['first'])
  // `behind` has probably not read the ids of `ahead` yet.
  await behind.append([anEvent({ fingerprint: 'second' })])
  t.same(await scan(behind), ['second'])
})

t.test('a request that is sent again to another replica is stored once', async t => {
  const { open } = makeDatabase(t)
  const [a, b] = await Promise.all([open(), open()])
  t.same(await a.claimRequests(['one', 'two']), ['new', 'new'])
  t.same(await b.claimRequests(['two', 'three']), ['busy', 'new'], 'its events may be stored at any moment')
  await t.rejects(b.append([anEvent()], ['two']), StoreUnavailableError, 'its claim was not successful')
  await a.append([anEvent()], ['one', 'two'])
  t.same(await b.claimRequests(['two', 'one']), ['stored', 'stored'])
  t.same(await a.claimRequests(['two']), ['stored'])

  const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`)
  for (const key of keys) {
    const outcomes = await Promise.all([a.claimRequests([key]), b.claimRequests([key])])
    t.not(outcomes.flat().filter(outcome => outcome === 'new').length, 2, 'at most one replica may store it')
  }
})

t.test('one replica has the lease, and another replica gets it when the first one stops', async t => {
  const { open } = makeDatabase(t)
  const stores = await Promise.all([open(), open(), open()])
  const leases = () => stores.filter(({ replicas }) => replicas.lease() !== null)
  await Promise.race(stores.map(store => seen(store, () => store.replicas.lease() !== null)))
  const [first] = leases()
  t.equal(leases().length, 1)
  const signal = first?.replicas.lease()
  await first?.close()
  t.ok(signal?.aborted)
  const others = stores.filter(store => store !== first)
  await Promise.race(others.map(store => seen(store, () => store.replicas.lease() !== null)))
  t.equal(leases().length, 1)
})

t.test('a replica frees its number when it stops', async t => {
  const { open } = makeDatabase(t)
  const numberOf = async (store: Store) => {
    const [event] = await store.append([anEvent()])
    return Math.floor(((event?.id ?? 0) % 4096) / 64)
  }
  const [first, second] = [await open({ nowMs: () => noonMs }), await open({ nowMs: () => noonMs })]
  t.equal(await numberOf(first), 0)
  t.equal(await numberOf(second), 1)
  await first.close()
  t.equal(await numberOf(await open({ nowMs: () => noonMs })), 0)
})
