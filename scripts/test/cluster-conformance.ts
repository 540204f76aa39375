/** The conformance tests with a distributed table, which take longer than `npm test` may. `npm run test:clickhouse` runs them. */
import t, { type Test } from 'tap'
import { parseServerAddress } from '../../server/store/clickhouse/engine/server-address.ts'
import { openClickHouseStore } from '../../server/store/clickhouse/store.ts'
import { testEventStore, testFailureStore } from '../../server/store/conformance/index.ts'
import { addressOf, startCluster } from './clickhouse.ts'

const server = await startCluster(t, 'one')
let databases = 0

const make = (_t: Test) => {
  databases += 1
  const address = parseServerAddress(addressOf(server, `conformance_${process.pid}_${databases}`))
  if (address === null) throw new TypeError('Not a server address')
  return { open: (options?: { nowMs?: () => number }) => openClickHouseStore(address, options) }
}

t.test('conforms to FailureStore with a distributed table', t => testFailureStore(t, make))
t.test('conforms to EventStore with a distributed table', t => testEventStore(t, make))
