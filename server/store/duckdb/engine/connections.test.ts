import { setImmediate } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import t, { type Test } from 'tap'
import { sql } from '../sql/sql.ts'
import { createQueryRunner, type RunQuery } from './connections.ts'

/** A query that would not finish within the test. */
const endless = sql`SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range + b.range = ${-1}`
const reason = new Error('The visitor has gone')

async function queryOnOneConnection(t: Test): Promise<RunQuery> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  t.teardown(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return createQueryRunner([connection])
}

t.test('an abort stops a query at any time, and the connection runs the next query', async t => {
  const query = await queryOnOneConnection(t)
  for (const turns of [0, 1, 5, 50, 5000]) {
    const controller = new AbortController()
    const result = query(endless, controller.signal)
    result.catch(() => {})
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    controller.abort(reason)
    await t.rejects(result, reason)
    t.same(await query(sql`SELECT ${1} AS one`), [{ one: 1n }])
  }
})

t.test('a running query does not block the event loop', async t => {
  const query = await queryOnOneConnection(t)
  const controller = new AbortController()
  const result = query(endless, controller.signal)
  let turns = 0
  const turnsCounted = (async () => {
    while (!controller.signal.aborted) {
      await setImmediate()
      if (++turns === 1000) controller.abort(reason)
    }
  })()
  await t.rejects(result, reason)
  await turnsCounted
  t.equal(turns, 1000)
})

t.test('runs one query at a time, in order; a query aborted in the queue never starts', async t => {
  const query = await queryOnOneConnection(t)
  await query(sql`CREATE SEQUENCE started`)
  const first = new AbortController()
  const second = new AbortController()
  const running = query(endless, first.signal)
  const waiting = query(sql`SELECT nextval('started')`, second.signal)
  const last = query(sql`SELECT nextval('started') AS started`)
  second.abort(reason)
  await t.rejects(waiting, reason)
  first.abort(reason)
  await t.rejects(running, reason)
  t.same(await last, [{ started: 1n }])
  await t.rejects(query(sql`SELECT nextval('started')`, AbortSignal.abort(reason)), reason)
  t.same(await query(sql`SELECT nextval('started') AS started`), [{ started: 2n }])
})

t.test('a failed query frees its connection', async t => {
  const query = await queryOnOneConnection(t)
  await t.rejects(query(sql`NONSENSE`), /Parser Error/)
  t.same(await query(sql`SELECT ${'x'} AS x`), [{ x: 'x' }])
})
