import t, { type Test } from 'tap'
import { startClickHouse } from '../../scripts/test/clickhouse.ts'
import { startCutProxy } from '../../scripts/test/cut-proxy.ts'
import { reservePort } from '../../shared/testing/reserve-port.ts'
import { connect } from '../store/clickhouse/engine/connection.ts'
import { parseServerAddress } from '../store/clickhouse/engine/server-address.ts'
import { openClickHouseStore } from '../store/clickhouse/store.ts'
import { anEvent } from '../store/conformance/testing.ts'
import { checkClickHouse } from './check-clickhouse.ts'

const clickHouse = await startClickHouse(t)
const password = 'hunter2-password'
const retention = { retentionGigabytes: 0.1 }
let databases = 0

function addressOf(origin: string, database: string) {
  const address = parseServerAddress(`clickhouse://app:${password}@${origin}/${database}?tls=off`)
  if (address === null) throw new TypeError('Not a server address')
  return address
}

/** Returns the address of a new database behind a proxy that can fake responses. */
async function prepare(t: Test) {
  const proxy = await startCutProxy(t, clickHouse)
  databases += 1
  const address = addressOf(proxy.origin, `Doctor_${process.pid}_${databases}`)
  const check = async (config = retention, nowMs = Date.now) => {
    const findings = await checkClickHouse(address, config, nowMs)
    const lines = findings.map(({ level, check, text }) => `${level} ${check}: ${text}`)
    t.notMatch(lines.join(), password)
    return lines
  }
  return { proxy, address, check }
}

t.test('finds no problem in a new database and in one with events, and changes nothing', async t => {
  const { address, check } = await prepare(t)
  t.match(await check(), [/^ok Store: The database Doctor_.* does not exist/, /^ok Clock/, /^ok Disk/])
  t.match(await check(), [/does not exist/], 'the check does not create the database')
  const store = await openClickHouseStore(address)
  t.teardown(store.close)
  await store.append([anEvent()])
  t.match(await check(), [/^ok Store: 1 event can be read in ClickHouse \d+\.\d+/, /^ok Clock/, /^ok Disk/])
})

t.test('finds a server that cannot be reached, or rejects the user', async t => {
  const address = addressOf(`127.0.0.1:${await reservePort(t)}`, 'logs')
  t.match(await checkClickHouse(address, retention), [
    { level: 'problem', text: /cannot be reached: check SIXPANE_STORE/ },
  ])
  const { proxy, check } = await prepare(t)
  proxy.refuse(/./, { code: 516, message: 'app: Authentication failed. (AUTHENTICATION_FAILED)' })
  t.match(await check(), [/^problem Store: ClickHouse rejected the user or password in SIXPANE_STORE/])
})

t.test('finds a version that is too old', async t => {
  const { proxy, check } = await prepare(t)
  proxy.answer(/version\(\)/, JSON.stringify({ version: '26.1.9.1', now_ms: Date.now() }))
  t.match(await check(), [
    /^problem Store: ClickHouse is version 26\.1\.9\.1, but Sixpane needs 26\.2 or later/,
  ])
  proxy.answer(/version\(\)/, JSON.stringify({ version: '27.0.1.1', now_ms: Date.now() }))
  t.match(await check(), [/^ok Store/])
  proxy.refuse(/CHECK GRANT/, { code: 62, message: 'Syntax error. (SYNTAX_ERROR)' })
  t.match(await check(), [/^problem Store: ClickHouse reported an error: Syntax error/])
})

t.test('finds missing privileges', async t => {
  const { proxy, address, check } = await prepare(t)
  proxy.answer(/CHECK GRANT (?:CREATE TABLE|INSERT|ALTER SETTINGS|CLUSTER|REMOTE)/, '0')
  const inDatabase =
    /lacks privileges\. Grant it CREATE TABLE, INSERT, ALTER SETTINGS on all tables of the database Doctor_/
  t.match(await check(), [inDatabase, /^ok Store/])
  t.match(await checkClickHouse({ ...address, cluster: { name: 'main', quorum: 'auto' } }, retention), [
    { text: inDatabase },
    { text: /for a cluster\. Grant it CLUSTER, REMOTE on \*\.\*$/ },
  ])
  const store = await openClickHouseStore(address)
  t.teardown(store.close)
  proxy.refuse(/system\.parts/, { code: 497, message: 'app: Not enough privileges. (ACCESS_DENIED)' })
  t.match(await check(), [/^problem Store: .*Grant it SELECT on system\.parts/])
  proxy.refuse(/system\.disks/, { code: 497, message: 'app: Not enough privileges. (ACCESS_DENIED)' })
  t.match(await check(), [/^ok Store/, /^ok Clock/], 'the privilege to read the disks is not needed')
})

t.test('finds a database that a newer version wrote', async t => {
  const { address, check } = await prepare(t)
  await (await openClickHouseStore(address)).close()
  const connection = connect(address)
  await connection.insert('schema_version', ['version'], [[1000]])
  await connection.close()
  t.match(await check(), [/^problem Store: The database .* was written by a newer version of Sixpane/])
})

t.test('finds clocks that differ', async t => {
  const { check, address } = await prepare(t)
  // Half a minute more than an hour, because the check may take a few seconds.
  const [ahead, behind] = [() => Date.now() - 3_630_000, () => Date.now() + 3_630_000]
  const clock = async (nowMs: () => number) =>
    (await check(retention, nowMs)).find(line => /Clock/.test(line))
  t.match(
    await clock(ahead),
    /^problem Clock: The clock of the ClickHouse server is 1 h ahead of this machine’s/,
  )
  t.match(
    await clock(behind),
    /^problem Clock: The clock of the ClickHouse server is 1 h behind this machine’s/,
  )
  const store = await openClickHouseStore(address, { nowMs: behind })
  t.teardown(store.close)
  await store.append([anEvent()])
  t.match(await clock(Date.now), /^problem Clock: The newest event was accepted .* in the future/)
})

t.test('accepts the clocks of a slow server, and of a replica that is slightly ahead', async t => {
  const { proxy, check, address } = await prepare(t)
  const aheadMs = 1500
  const store = await openClickHouseStore(address, { nowMs: () => Date.now() + aheadMs })
  t.teardown(store.close)
  await store.append([anEvent()])
  const clock = async (nowMs = Date.now) =>
    (await check(retention, nowMs)).find(line => line.includes('Clock'))
  t.match(await clock(), /^ok Clock/)
  // The event is accepted ten seconds after the first query, while the other queries run.
  const firstMs = Date.now() - 10_000
  proxy.answer(/version\(\)/, JSON.stringify({ version: '27.0.1.1', now_ms: firstMs }))
  let calls = 0
  const nowMs = () => {
    calls += 1
    return calls <= 2 ? firstMs : Date.now()
  }
  t.match(await clock(nowMs), /^ok Clock/)
})

t.test('finds disks that are smaller than the retention limit', async t => {
  const { address, check } = await prepare(t)
  const disk = async () => (await check({ retentionGigabytes: 100_000 })).at(-1)
  t.match(await disk(), /^problem Disk: Retention allows 100 TB .* Set SIXPANE_RETENTION_GB to at most \d+/)
  const store = await openClickHouseStore(address)
  t.teardown(store.close)
  const saveLimit = (value: string) => store.settings.save([{ name: 'SIXPANE_RETENTION_GB', value }], 1)
  await saveLimit('0.1')
  t.match(await disk(), /^ok Disk/, 'the limit from /settings is in effect')
  await saveLimit('90000')
  t.match(
    await disk(),
    /^problem Disk: Retention allows 90 TB .* Reduce the limit on \/settings to at most \d+/,
  )
})

t.test('finds a webhook that cannot be reached, and hides its path', async t => {
  const { address, check } = await prepare(t)
  const store = await openClickHouseStore(address)
  t.teardown(store.close)
  const conditions = { newFailure: true, returnedFailure: true, errorRatio: null }
  await store.webhooks.add({
    id: 'w',
    name: 'On call',
    url: 'http://127.0.0.1:1/secret-path',
    secret: 's',
    createdMs: 1,
    conditions,
  })
  const lines = await check()
  t.match(lines.at(-1), /^problem Webhook: On call: http:\/\/127\.0\.0\.1:1 cannot be reached/)
  t.notMatch(lines.join(), 'secret-path')
})

t.test('warns about a password that is sent without encryption', async t => {
  const address = addressOf('192.0.2.1:8123', 'logs')
  const [first] = await checkClickHouse({ ...address, url: 'http://db.invalid:8123' }, retention)
  t.match(first, { level: 'warning', text: /sent to db\.invalid:8123 without encryption/ })
})
