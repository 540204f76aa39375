import { readdirSync } from 'node:fs'
import t from 'tap'
import { startClickHouse } from '../../scripts/test/clickhouse.ts'
import { startCutProxy } from '../../scripts/test/cut-proxy.ts'
import { parseServerAddress } from '../store/clickhouse/engine/server-address.ts'
import { damageBlocks } from '../store/duckdb/engine/testing.ts'
import { openSource, openTarget } from './open-location.ts'
import { allEventsOf, eventsWithIds, folderWithBlocks, notAborted } from './testing.ts'

const clickHouse = await startClickHouse(t)

t.test('names the privileges that the ClickHouse user lacks', async t => {
  const proxy = await startCutProxy(t, clickHouse)
  const database = `open_place_${process.pid}`
  const address = parseServerAddress(
    `clickhouse://app:secret@${proxy.origin}/${database}?tls=off&cluster=one`,
  )
  if (address === null) throw new TypeError('Not a server address')
  const open = () => openTarget({ kind: 'clickhouse', address })
  proxy.answer(/CHECK GRANT (?:CLUSTER|REMOTE)/, '0')
  await t.rejects(open(), {
    name: 'CopyError',
    message: /user in --to lacks privileges for a cluster\. Grant them on \*\.\*: CLUSTER, REMOTE$/,
  })
  proxy.answer(/CHECK GRANT INSERT/, '0')
  await t.rejects(open(), { message: new RegExp(`in the database ${database}: INSERT$`) })
})

const isDamaged = { message: /is damaged: .*events-0000000000000000\.duckdb/ }

t.test('names a damaged file, and leaves its folder unchanged', async t => {
  const folder = t.testdir()
  damageBlocks(await folderWithBlocks(folder))
  const before = readdirSync(folder)
  const source = { location: { kind: 'folder', folder } as const, environment: {}, signal: notAborted }
  await t.rejects(openSource({ ...source, printLine: () => {} }), { name: 'CopyError', ...isDamaged })
  t.same(readdirSync(folder), before)
})

t.test('fails if a file is damaged during the copy', async t => {
  const folder = t.testdir()
  const file = await folderWithBlocks(folder)
  const { store, close } = await openTarget({ kind: 'folder', folder })
  t.teardown(close)
  damageBlocks(file)
  await t.rejects(allEventsOf(store), isDamaged)
  await t.rejects(store.importEvents(eventsWithIds([-1])), isDamaged)
  t.notOk(readdirSync(folder).includes('damaged'))
})
