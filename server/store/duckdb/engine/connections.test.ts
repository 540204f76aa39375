import { setImmediate } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import t, { type Test } from 'tap'
import { sql } from '../sql/sql.ts'
import { type Ask, createAsk } from './connections.ts'

/** Would take years. */
const endless = sql`SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range + b.range = ${-1}`
const reason = new Error('The visitor has gone')

async function oneConnection(t: Test): Promise<Ask> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  t.teardown(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return createAsk([connection])
}

t.test('stops a question at any moment, and answers the next on the same connection', async t => {
  const ask = await oneConnection(t)
  for (const turns of [0, 1, 5, 50, 5000]) {
    const controller = new AbortController()
    const answer = ask(endless, controller.signal)
    answer.catch(() => {})
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    controller.abort(reason)
    await t.rejects(answer, reason)
    t.same(await ask(sql`SELECT ${1} AS one`), [{ one: 1n }])
  }
})

t.test('leaves the event loop free meanwhile', async t => {
  const ask = await oneConnection(t)
  const controller = new AbortController()
  const answer = ask(endless, controller.signal)
  let turns = 0
  const turning = (async () => {
    while (!controller.signal.aborted) {
      await setImmediate()
      if (++turns === 1000) controller.abort(reason)
    }
  })()
  await t.rejects(answer, reason)
  await turning
  t.equal(turns, 1000)
})

t.test('asks one question at a time, in turn; one that was aborted while it waited never starts', async t => {
  const ask = await oneConnection(t)
  await ask(sql`CREATE SEQUENCE started`)
  const first = new AbortController()
  const second = new AbortController()
  const running = ask(endless, first.signal)
  const waiting = ask(sql`SELECT nextval('started')`, second.signal)
  const last = ask(sql`SELECT nextval('started') AS started`)
  second.abort(reason)
  await t.rejects(waiting, reason)
  first.abort(reason)
  await t.rejects(running, reason)
  t.same(await last, [{ started: 1n }])
  await t.rejects(ask(sql`SELECT nextval('started')`, AbortSignal.abort(reason)), reason)
  t.same(await ask(sql`SELECT nextval('started') AS started`), [{ started: 2n }])
})

t.test('gives the connection back after a mistake', async t => {
  const ask = await oneConnection(t)
  await t.rejects(ask(sql`NONSENSE`), /Parser Error/)
  t.same(await ask(sql`SELECT ${'x'} AS x`), [{ x: 'x' }])
})
