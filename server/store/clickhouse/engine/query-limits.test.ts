import { once } from 'node:events'
import { createServer } from 'node:http'
import t from 'tap'
import { addressOf, startClickHouse } from '../../../../scripts/test/clickhouse.ts'
import { startCutProxy } from '../../../../scripts/test/cut-proxy.ts'
import { sql } from '../../common/sql.ts'
import { QueryLimitError, StoreUnavailableError } from '../../store.ts'
import { connect } from './connection.ts'

const clickHouse = await startClickHouse(t)

t.test('a query that exceeds a limit ends with an error that names the limit', async t => {
  const connection = connect(addressOf(clickHouse, 'default'))
  t.teardown(connection.close)
  const cases: [RegExp, ReturnType<typeof sql>][] = [
    [
      /too much memory/,
      sql`SELECT length(groupArray(toString(number))) FROM numbers(10000000) SETTINGS max_memory_usage = 50000000`,
    ],
    [
      /too long/,
      sql`SELECT sum(cityHash64(number)) FROM numbers(1000000000000) SETTINGS max_execution_time = 1`,
    ],
    [
      /result of the query is too large/,
      sql`SELECT number FROM numbers(100000) SETTINGS max_result_bytes = 1000`,
    ],
    [/reads too many rows/, sql`SELECT count() FROM numbers(1000) SETTINGS max_rows_to_read = 100`],
    [/reads too much data/, sql`SELECT sum(number) FROM numbers(1000) SETTINGS max_bytes_to_read = 100`],
  ]
  for (const [message, query] of cases)
    await t.rejects(connection.select(query), { name: 'QueryLimitError', message })
})

t.test(
  'a server without free memory and an exceeded quota cause a StoreUnavailableError, not a QueryLimitError',
  async t => {
    const proxy = await startCutProxy(t, clickHouse)
    const connection = connect(addressOf(new URL(`clickhouse://${proxy.origin}?tls=off`), 'default'))
    t.teardown(connection.close)
    proxy.refuse(/SELECT/, {
      code: 241,
      message: '(total) memory limit exceeded: would use 9 GiB. (MEMORY_LIMIT_EXCEEDED)',
    })
    await t.rejects(connection.select(sql`SELECT 1`), {
      name: 'StoreUnavailableError',
      message: /is out of memory/,
    })
    proxy.refuse(/SELECT/, {
      code: 241,
      message: 'Query memory limit exceeded: would use 9 GiB. (MEMORY_LIMIT_EXCEEDED)',
    })
    await t.rejects(connection.select(sql`SELECT 1`), QueryLimitError)
    proxy.refuse(/SELECT/, { code: 201, message: 'Quota for user `app` has been exceeded. (QUOTA_EXCEEDED)' })
    await t.rejects(connection.select(sql`SELECT 1`), {
      name: 'StoreUnavailableError',
      message: /exceeded its quota/,
    })
    proxy.refuse(/INSERT/, {
      code: 241,
      message: 'Query memory limit exceeded: would use 9 GiB. (MEMORY_LIMIT_EXCEEDED)',
    })
    await t.rejects(
      connection.insert('event', ['id'], [[1]]),
      StoreUnavailableError,
      'a failed insert can be retried',
    )
  },
)

t.test(
  'ends an aborted query on the server, writes large intermediate results to disk, and overrides user settings',
  async t => {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => server.close())
    const port = server.address()
    const url = new URL(`clickhouse://127.0.0.1:${typeof port === 'object' ? port?.port : ''}?tls=off`)
    const connection = connect(addressOf(url, 'logs'))
    t.teardown(connection.close)
    const controller = new AbortController()
    const asked = once(server, 'request')
    const selecting = connection.select(sql`SELECT 1`, controller.signal)
    const [request] = await asked
    const settings = Object.fromEntries(new URL(request.url, 'http://localhost').searchParams)
    t.match(settings, { cancel_http_readonly_queries_on_client_close: '1' })
    t.not(settings.readonly ?? '0', '0', 'ClickHouse does not cancel queries that may write')
    for (const operation of ['group_by', 'sort']) {
      const startBytes = Number(settings[`max_bytes_before_external_${operation}`])
      t.ok(startBytes > 0 && startBytes <= Number(settings.max_memory_usage) / 2)
    }
    t.match(
      settings,
      { join_use_nulls: '0', aggregate_functions_null_for_empty: '0', timeout_overflow_mode: 'throw' },
      "the ClickHouse user's settings do not affect results",
    )
    const closed = once(request.socket, 'close')
    controller.abort()
    await t.rejects(selecting)
    await closed
  },
)

t.test('an insert does not wait for running queries', async t => {
  const server = createServer((request, response) => {
    if (request.url?.includes('INSERT')) response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = server.address()
  const url = new URL(`clickhouse://127.0.0.1:${typeof port === 'object' ? port?.port : ''}?tls=off`)
  const connection = connect(addressOf(url, 'logs'))
  const selecting = Promise.allSettled(Array.from({ length: 20 }, () => connection.select(sql`SELECT 1`)))
  t.teardown(async () => {
    server.close()
    server.closeAllConnections()
    await selecting
    await connection.close()
  })
  await connection.insert('event', ['id'], [[1]])
})
