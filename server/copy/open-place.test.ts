import t from 'tap'
import { startClickHouse } from '../../scripts/test/clickhouse.ts'
import { startCutProxy } from '../../scripts/test/cut-proxy.ts'
import { parseServerAddress } from '../store/clickhouse/engine/server-address.ts'
import { openTarget } from './open-place.ts'

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
