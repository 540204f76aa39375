import t from 'tap'
import { addressOf, startClickHouse } from '../../../../scripts/test/clickhouse.ts'
import { createClaims } from './claims.ts'
import { connect } from './connection.ts'
import { prepareTables } from './tables.ts'

const server = await startClickHouse(t)
const address = addressOf(server, `claims_${process.pid}`)
const connection = connect(address)
t.teardown(connection.close)
await prepareTables(address, connection)
const claims = createClaims(connection)
const minuteMs = 60_000

t.test('an owner sees other claims, and whether they were released', async t => {
  t.same(await claims.claim(['a', 'b'], 'one', minuteMs), [])
  t.same(await claims.claim(['a', 'c'], 'two', minuteMs), [{ name: 'a', owner: 'one', isLive: true }])
  t.same(await claims.claim(['a'], 'one', minuteMs), [{ name: 'a', owner: 'two', isLive: true }])
  await claims.release(['a'], 'two')
  t.same(await claims.claim(['a'], 'one', minuteMs), [{ name: 'a', owner: 'two', isLive: false }])
})

t.test('a claim expires', async t => {
  await claims.claim(['d'], 'one', minuteMs)
  t.same(await claims.claim(['d'], 'two', 0), [{ name: 'd', owner: 'one', isLive: false }])
  await claims.claim(['d'], 'one', minuteMs)
  t.same(
    await claims.claim(['d'], 'two', minuteMs),
    [{ name: 'd', owner: 'one', isLive: true }],
    'a renewed claim is live again',
  )
})

t.test('lists the names with live claims', async t => {
  await claims.claim(['e 1', 'e 2', 'f 1'], 'one', minuteMs)
  await claims.release(['e 2'], 'one')
  t.same([...(await claims.live('e ', minuteMs))], ['e 1'])
  t.same([...(await claims.live('e ', 0))], [])
})

t.test('ignores a claim that was made while the clock was far ahead', async t => {
  const hourAheadUs = (Date.now() + 60 * minuteMs) * 1000
  await connection.insert(
    'claim',
    ['name', 'owner', 'is_released', 'claimed_us'],
    [['g', 'one', 0, hourAheadUs]],
  )
  t.same([...(await claims.live('g', minuteMs))], [])
  t.same(await claims.claim(['g'], 'two', minuteMs), [{ name: 'g', owner: 'one', isLive: false }])
  await claims.claim(['g'], 'one', minuteMs)
  t.same(
    await claims.claim(['g'], 'two', minuteMs),
    [{ name: 'g', owner: 'one', isLive: true }],
    'a renewed claim is live again',
  )
  await claims.release(['g'], 'one')
  t.same(await claims.claim(['g'], 'two', minuteMs), [{ name: 'g', owner: 'one', isLive: false }])
})
