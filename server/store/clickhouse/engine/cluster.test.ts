import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { sql } from '../../common/sql.ts'
import { StoreUnavailableError } from '../../store.ts'
import { connect } from './connection.ts'
import { parseServerAddress } from './server-address.ts'
import { prepareTables, tablesVersion } from './tables.ts'

type Sent = { statement: string; settings: URLSearchParams }

/** Starts a server that records statements, and responds to queries with rows. */
async function startRecorder(
  t: Test,
  rowsOf: (statement: string) => object[] | number,
  parameters = '&cluster=main&quorum=3',
) {
  const sent: Sent[] = []
  const server = createServer(async (request, response) => {
    const settings = new URL(request.url ?? '', 'http://localhost').searchParams
    const statement = settings.get('query') ?? (await text(request))
    request.resume()
    sent.push({ statement, settings })
    const rows = /^\s*(SELECT|INSERT|ALTER|EXISTS)/.test(statement) ? rowsOf(statement) : []
    if (typeof rows === 'number') {
      response.writeHead(404, { 'x-clickhouse-exception-code': String(rows) })
      response.end(`Code: ${rows}. DB::Exception: There is an error. (ERROR)`)
    } else response.end(rows.map(row => `${JSON.stringify(row)}\n`).join(''))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const port = server.address()
  const address = parseServerAddress(
    `clickhouse://127.0.0.1:${typeof port === 'object' ? port?.port : ''}/logs?tls=off${parameters}`,
  )
  if (address === null) throw new TypeError('Not a server address')
  const connection = connect(address)
  t.teardown(connection.close)
  return { sent, address, connection }
}

t.test('creates tables on all servers: shards have different events, and share all other rows', async t => {
  const { sent, address, connection } = await startRecorder(t, statement =>
    /^SELECT max\(version\)/.test(statement) ? 60 : [{ result: 0 }],
  )
  await prepareTables(address, connection)
  const created = sent.map(({ statement }) => statement).filter(statement => statement.startsWith('CREATE'))
  for (const statement of created) t.match(statement, 'ON CLUSTER `main`')
  t.match(created[0], /^CREATE DATABASE/)
  const nameOf = (statement: string) => /EXISTS (\w+)/.exec(statement)?.[1]
  const replicated = created.filter(statement => statement.includes('ENGINE = Replicated'))
  t.same(replicated.map(nameOf), ['schema_version', 'event_local', 'record', 'source_map_part', 'claim'])
  for (const statement of replicated) {
    const [, path = '', replica = ''] = /MergeTree\('([^']+)', '([^']+)'/.exec(statement) ?? []
    t.match(path, '/main/{database}/{table}')
    const isSharded = nameOf(statement) === 'event_local'
    t.equal(path.includes('{shard}'), isSharded, 'only events are sharded')
    t.match(replica, '{replica}')
    t.equal(replica.includes('{shard}'), !isSharded, 'names are unique among the servers with the same rows')
    t.match(
      statement,
      /SETTINGS .*\breplicated_deduplication_window = 10000/,
      'whatever the server’s default is',
    )
    t.match(
      statement,
      /SETTINGS .*\bremove_empty_parts = 0/,
      'queries find the parts of the last quorum insert',
    )
  }
  t.match(
    created.find(statement => statement.includes('Distributed')),
    /EXISTS event .* AS event_local\s+ENGINE = Distributed\('main', 'logs', 'event_local'\)/,
  )
  for (const { settings } of sent.filter(({ statement }) => statement.startsWith('CREATE')))
    t.equal(settings.get('wait_end_of_query'), '1', 'the status reports an error on another server')
  t.match(sent.at(-1)?.statement, 'INSERT INTO schema_version')
})

t.test('creates missing tables on a server that was added, and otherwise changes nothing', async t => {
  for (const lacks of [0, 1]) {
    const { sent, address, connection } = await startRecorder(t, statement =>
      statement.includes('lacks_tables') ? [{ lacks_tables: lacks }] : [{ version: tablesVersion }],
    )
    await prepareTables(address, connection)
    const changes = sent.filter(({ statement }) => !/^\s*SELECT/.test(statement))
    t.equal(
      changes.some(({ statement }) => statement.includes('event_local')),
      lacks === 1,
    )
    t.notOk(changes.some(({ statement }) => statement.startsWith('INSERT')))
  }
})

t.test(
  'updates add columns to the tables of all servers, but do not change deduplication in a cluster',
  async t => {
    const { sent, address, connection } = await startRecorder(t, statement =>
      statement.includes('lacks_tables') ? [{ lacks_tables: 0 }] : [{ version: 4 }],
    )
    await prepareTables(address, connection)
    t.match(sent.at(-1)?.statement, 'INSERT INTO schema_version')
    const changes = sent.map(({ statement }) => statement).filter(statement => statement.startsWith('ALTER'))
    t.same(
      changes.filter(each => each.includes('ADD COLUMN')).map(each => each.split(' ADD ')[0]),
      ['terms', 'durations'].flatMap(() => [
        'ALTER TABLE event_local ON CLUSTER `main`',
        'ALTER TABLE event ON CLUSTER `main`',
      ]),
    )
    t.notOk(changes.some(each => each.includes('deduplication')))
  },
)

t.test('an update starts to fill columns, indexes and projections after all other changes', async t => {
  for (const parameters of ['', '&cluster=main']) {
    const { sent, address, connection } = await startRecorder(
      t,
      statement => (statement.includes('lacks_tables') ? [{ lacks_tables: 0 }] : [{ version: 1 }]),
      parameters,
    )
    await prepareTables(address, connection)
    const changes = sent.map(({ statement }) => statement).filter(statement => statement.startsWith('ALTER'))
    const isFill = changes.map(each => each.includes('MATERIALIZE '))
    t.ok(isFill.includes(true))
    t.same(isFill, isFill.toSorted(), changes.join('\n'))
  }
})

t.test('tables are not updated while a server of the cluster lacks them', async t => {
  const { sent, address, connection } = await startRecorder(t, statement =>
    statement.includes('lacks_tables') ? [{ lacks_tables: 1 }] : [{ version: 6 }],
  )
  await t.rejects(
    prepareTables(address, connection),
    new StoreUnavailableError(
      'A server of the ClickHouse cluster has no tables yet, so the tables cannot be updated: start the previous version of Sixpane once, and then this version',
    ),
  )
  t.ok(
    sent.every(({ statement }) => /^\s*SELECT/.test(statement)),
    'nothing is changed',
  )
})

t.test('updates an existing event table even if no version was stored', async t => {
  for (const exists of [0, 1]) {
    const { sent, address, connection } = await startRecorder(t, statement =>
      statement.startsWith('EXISTS') ? [{ result: exists }] : [{ version: 0 }],
    )
    await prepareTables(address, connection)
    t.equal(
      sent.some(({ statement }) => /^ALTER.*ADD COLUMN/.test(statement)),
      exists === 1,
    )
  }
})

t.test('an update repeats a change if a server has not applied the previous one', async t => {
  let alters = 0
  const { sent, address, connection } = await startRecorder(t, statement => {
    if (statement.startsWith('ALTER')) {
      alters += 1
      return alters === 2 ? 517 : []
    }
    return statement.includes('lacks_tables') ? [{ lacks_tables: 0 }] : [{ version: 4 }]
  })
  await prepareTables(address, connection)
  const changes = sent.map(({ statement }) => statement).filter(statement => statement.startsWith('ALTER'))
  t.equal(changes[2], changes[1])
  t.match(sent.at(-1)?.statement, 'INSERT INTO schema_version')
})

t.test('an insert is acknowledged by the quorum, and a repeated one reaches the same shard', async t => {
  let failures = 0
  const { sent, connection } = await startRecorder(t, statement => {
    if (statement.startsWith('SELECT')) return [{ shards: 5 }]
    failures += 1
    return failures === 2 ? 319 : []
  })
  await connection.insert('claim', ['name'], [['a']])
  await connection.insert('event', ['id'], [[1]], 'events 1')
  const inserts = sent.filter(({ statement }) => statement.startsWith('INSERT'))
  const [claim, first, repeated] = inserts.map(({ settings }) => Object.fromEntries(settings))
  t.equal(inserts.length, 3)
  for (const settings of [claim, first, repeated])
    t.match(settings, { insert_quorum: '3', insert_quorum_parallel: '0', async_insert: '0' })
  t.match(claim, { insert_deduplicate: '0' }, 'deleted rows may be inserted again')
  t.match(first, { distributed_foreground_insert: '1', insert_deduplication_token: 'events 1' })
  t.match(first?.insert_shard_id, /^[1-5]$/)
  t.equal(repeated?.insert_shard_id, first?.insert_shard_id)
  t.equal(repeated?.insert_deduplication_token, first?.insert_deduplication_token)
})

t.test('batches are divided among the shards', async t => {
  const { sent, connection } = await startRecorder(t, statement =>
    statement.startsWith('SELECT') ? [{ shards: 2 }] : [],
  )
  for (let batch = 0; batch < 20; batch += 1)
    await connection.insert('event', ['id'], [[batch]], `events ${batch * 4096}`)
  t.equal(new Set(sent.flatMap(({ settings }) => settings.get('insert_shard_id') ?? [])).size, 2)
})

t.test('rejects a cluster that is not defined on the server', async t => {
  const { connection } = await startRecorder(t, () => [{ shards: 0 }])
  await t.rejects(connection.insert('event', ['id'], [[1]], 'events 1'), {
    name: 'StoreUnavailableError',
    message: /cluster main in SIXPANE_STORE is not defined/,
  })
})

t.test("reports a server that does not respond within the query's time limit", async t => {
  const limit = new AbortController()
  const { connection } = await startRecorder(t, () => {
    limit.abort(new DOMException('Too late', 'TimeoutError'))
    return []
  })
  await t.rejects(connection.select(sql`SELECT 1`, limit.signal), { name: 'StoreUnavailableError' })
})

t.test('queries see rows that other servers acknowledged, and subqueries read all shards', async t => {
  const { sent, connection } = await startRecorder(t, () => [])
  await connection.select(sql`SELECT 1 FROM event WHERE id IN (SELECT id FROM event)`)
  t.match(Object.fromEntries(sent[0]?.settings ?? []), {
    select_sequential_consistency: '1',
    distributed_product_mode: 'global',
  })
})

t.test(
  'queries see acknowledged rows even without a cluster, because a managed service has several servers',
  async t => {
    const { sent, connection } = await startRecorder(t, () => [], '')
    await connection.select(sql`SELECT 1 FROM event`)
    t.match(Object.fromEntries(sent[0]?.settings ?? []), { select_sequential_consistency: '1' })
  },
)

t.test('changes are made on all servers, and each part is counted once', async t => {
  const { sent, connection } = await startRecorder(t, () => [])
  const { storedEvents, on, parts } = connection.layout
  await connection.change(sql`ALTER TABLE ${storedEvents} ${on} DELETE WHERE id = 1`)
  await connection.select(sql`SELECT sum(rows) ${parts}`)
  t.match(sent[0]?.statement, /^ALTER TABLE event_local ON CLUSTER `main` DELETE/)
  t.equal(sent[0]?.settings.get('wait_end_of_query'), '1', 'the status reports an error on another server')
  t.match(sent[1]?.statement, /FROM cluster\('main', system\.parts\)/)
})

t.test('a change that a server completes later is not an error', async t => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(500, { 'x-clickhouse-exception-code': '341' })
    response.end('Code: 341. DB::Exception: The mutation will be done later. (UNFINISHED)')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const port = server.address()
  const address = parseServerAddress(
    `clickhouse://127.0.0.1:${typeof port === 'object' ? port?.port : ''}/logs?tls=off&cluster=main`,
  )
  if (address === null) throw new TypeError('Not a server address')
  const connection = connect(address)
  t.teardown(connection.close)
  t.notOk(await connection.change(sql`ALTER TABLE event_local DELETE WHERE id = 1`), 'it has not finished')
})
