import t, { type Test } from 'tap'
import { addressOf, startClickHouse } from '../../../scripts/test/clickhouse.ts'
import { testEventStore, testFailureStore, testWorkspaceStore } from '../conformance/index.ts'
import { parseServerAddress } from './engine/server-address.ts'
import { openClickHouseStore } from './store.ts'

const server = await startClickHouse(t)
let databases = 0

const make = (_t: Test) => {
  databases += 1
  const address = parseServerAddress(addressOf(server, `conformance_${process.pid}_${databases}`))
  if (address === null) throw new TypeError('Not a server address')
  return { open: (options?: { nowMs?: () => number }) => openClickHouseStore(address, options) }
}

t.test('conforms to WorkspaceStore', t => testWorkspaceStore(t, make))
t.test('conforms to FailureStore', t => testFailureStore(t, make))
t.test('conforms to EventStore', t => testEventStore(t, make))
