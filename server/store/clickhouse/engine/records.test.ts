import t from 'tap'
import { addressOf, startClickHouse } from '../../../../scripts/test/clickhouse.ts'
import { sql } from '../../common/sql.ts'
import { QueryLimitError, StoreUnavailableError } from '../../store.ts'
import { connect } from './connection.ts'
import { createIds } from './ids.ts'
import type { Columns } from './insert.ts'
import { openRecords } from './records.ts'
import { prepareTables } from './tables.ts'

const server = await startClickHouse(t)
const address = addressOf(server, `records_${process.pid}`)
const connection = connect(address)
t.teardown(connection.close)
await prepareTables(address, connection)

const columns: Columns = ['collection', 'key', 'value', 'version', 'is_deleted', 'stored_us']

function store(name: string, version: number, ageS: number, isDeleted = 0) {
  const value = JSON.stringify({ name, value: 'x', changedMs: 1 })
  const storedUs = (Date.now() - ageS * 1000) * 1000
  return connection.insert('record', columns, [['settings', name, value, version, isDeleted, storedUs]])
}

/**
 * Opens the records, and lists the keys that each statement reads. The names are sorted, because their order depends on
 * whether ClickHouse has already merged the versions of a record.
 */
function open(ids = createIds(() => 0, Date.now)) {
  const reads: unknown[][] = []
  const select: typeof connection.select = async (query, signal) => {
    const rows = await connection.select(query, signal)
    reads.push(rows.map(({ key }) => key))
    return rows
  }
  const { access } = openRecords({ insert: connection.insert, select }, ids, () => {})
  return { reads, names: () => access(({ settings }) => [...settings.keys()].sort()) }
}

t.test('a refresh reads only recent records again', async t => {
  await store('old', 1, 300)
  await store('less old', 2, 270)
  const { reads, names } = open()
  t.same(await names(), ['less old', 'old'])
  await store('recent', 3, 30)
  t.same(await names(), ['less old', 'old', 'recent'])
  t.same(await names(), ['less old', 'old', 'recent'])
  t.same(reads, [['old', 'less old'], ['recent'], ['recent']])
})

t.test('a refresh fails if the server does not respond, and the next one succeeds', async t => {
  let responds = true
  const limit = new AbortController()
  const select: typeof connection.select = async (query, signal) => {
    if (responds) return connection.select(query)
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new StoreUnavailableError('No response')))
      setImmediate(() => limit.abort())
    })
  }
  const { access } = openRecords(
    { insert: connection.insert, select },
    createIds(() => 0, Date.now),
    () => {},
  )
  await access(() => {})
  t.intercept(AbortSignal, 'timeout', { value: () => limit.signal })
  responds = false
  await t.rejects(
    access(() => {}),
    StoreUnavailableError,
  )
  responds = true
  await access(() => {})
})

t.test('records that were deleted a while ago are not read', async t => {
  await store('forgotten', 4, 290)
  await store('forgotten', 5, 280, 1)
  await store('just deleted', 6, 300)
  await store('just deleted', 7, 30, 1)
  await store('less old', 8, 270)
  const { reads, names } = open()
  t.same(await names(), ['less old', 'old', 'recent'])
  t.notOk(reads.flat().includes('forgotten'))
  t.ok(reads.flat().includes('just deleted'), 'a refresh may read the earlier version')
})

t.test('the next version is higher than that of a record that was deleted a while ago', async t => {
  const version = 2 ** 50
  await store('deleted while the clock was ahead', version, 300, 1)
  const ids = createIds(() => 0, Date.now)
  t.same(await open(ids).names(), ['less old', 'old', 'recent'])
  t.ok(Number(ids.take(1)[0]) > version)
})

t.test(
  'records that are too large for one query are read in pages, while another replica changes them',
  async t => {
    const limitBytes = 2_000
    const names = Array.from({ length: 20 }, (_, index) => `long ${index}`)
    const write = (name: string, version: number, value: string, isDeleted = 0) =>
      connection.insert(
        'record',
        ['collection', 'key', 'value', 'version', 'is_deleted'],
        [
          [
            'savedSearches',
            name,
            JSON.stringify({ id: name, name, view: value, createdMs: 1 }),
            version,
            isDeleted,
          ],
        ],
      )
    for (const [index, name] of names.entries()) await write(name, 2 ** 50 + index * 10, 'x'.repeat(500))
    const changes = [
      () => write('long 19', 2 ** 50 + 1_000, 'changed'),
      () => write('long 0', 2 ** 50 + 15, 'changed'),
      () => write('long 18', 2 ** 50 + 1_001, '', 1),
      () => connection.execute(sql`OPTIMIZE TABLE record FINAL`),
    ]
    let pages = 0
    const select: typeof connection.select = async (query, signal) => {
      const rows = await connection.select(query, signal)
      const hasValues = rows.some(row => 'value' in row)
      if (hasValues && JSON.stringify(rows).length > 3 * limitBytes) throw new QueryLimitError('Too large')
      if (hasValues) pages += 1
      if (hasValues) await changes.shift()?.()
      return rows
    }
    const { access } = openRecords(
      { insert: connection.insert, select },
      createIds(() => 0, Date.now),
      () => {},
      limitBytes,
    )
    const read = () => access(({ savedSearches }) => new Map(savedSearches))
    const first = await read()
    t.ok(pages > 4 && pages < 15, 'a page contains several records')
    t.same([...first.keys()].sort(), names.filter(name => name !== 'long 18').sort())
    t.equal(first.get('long 19')?.view, 'changed', 'its earlier record was removed before it was read')
    const second = await read()
    t.equal(second.get('long 0')?.view, 'changed', 'it was stored on a page that had been read')
  },
)
