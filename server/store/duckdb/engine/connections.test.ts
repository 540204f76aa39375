import { setImmediate } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import t, { type Test } from 'tap'
import { slow, sql } from '../../common/sql.ts'
import { createConnectionPool, type RunQuery } from './connections.ts'

/** A query that does not finish during the test. */
const endless = sql`SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range + b.range = ${-1}`
const reason = new Error('The visitor left')

async function poolOf(t: Test, connectionCount: number) {
  const instance = await DuckDBInstance.create(':memory:')
  const connections = await Promise.all(Array.from({ length: connectionCount }, () => instance.connect()))
  const pool = createConnectionPool(connections)
  t.teardown(async () => {
    await pool.stop()
    for (const connection of connections) connection.closeSync()
    instance.closeSync()
  })
  return pool
}

async function queryOn(t: Test, connectionCount: number): Promise<RunQuery> {
  return (await poolOf(t, connectionCount)).runQuery
}

t.test('a query can be aborted at any time; its connection then runs the next query', async t => {
  const query = await queryOn(t, 1)
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
  const query = await queryOn(t, 1)
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
  const query = await queryOn(t, 1)
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
  const query = await queryOn(t, 1)
  await t.rejects(query(sql`NONSENSE`), /Parser Error/)
  t.same(await query(sql`SELECT ${'x'} AS x`), [{ x: 'x' }])
})

t.test('one connection is reserved for quick queries', async t => {
  const query = await queryOn(t, 2)
  const first = new AbortController()
  const running = query(slow(endless), first.signal)
  const waiting = query(slow(sql`SELECT ${1} AS one`))
  t.same(await query(sql`SELECT ${2} AS two`), [{ two: 2n }])
  first.abort(reason)
  await t.rejects(running, reason)
  t.same(await waiting, [{ one: 1n }])
})

t.test('pages take turns, even if one of them runs many queries', async t => {
  const query = await queryOn(t, 1)
  const first = new AbortController()
  const blocking = query(endless, first.signal)
  const order: string[] = []
  const [a, b] = [new AbortController().signal, new AbortController().signal]
  const add = (text: string, page: AbortSignal) => query(sql`SELECT 1`, page).then(() => order.push(text))
  const all = [add('a1', a), add('a2', a), add('a3', a), add('b1', b), add('b2', b)]
  first.abort(reason)
  await t.rejects(blocking, reason)
  await Promise.all(all)
  t.same(order, ['a1', 'b1', 'a2', 'b2', 'a3'])
})

t.test('stop interrupts running queries; waiting and later queries never start', async t => {
  const { runQuery, stop } = await poolOf(t, 2)
  const page = new AbortController()
  const queries = [runQuery(endless), runQuery(endless, page.signal), runQuery(endless, page.signal)]
  const settled = Promise.allSettled(queries)
  await stop()
  page.abort(reason)
  t.match(await settled, [
    { reason: /Interrupted/ },
    { reason: /Interrupted/ },
    { reason: new Error('The connections are closed') },
  ])
  await t.rejects(runQuery(sql`SELECT 1`), { message: 'The connections are closed' })
  await stop()
})
