import t from 'tap'
import { databasesOf, startClickHouse } from '../../../scripts/test/clickhouse.ts'
import { testEventStore, testFailureStore, testWorkspaceStore } from '../conformance/index.ts'

const server = await startClickHouse(t)
const make = databasesOf(server)

t.test('conforms to WorkspaceStore', t => testWorkspaceStore(t, make))
t.test('conforms to FailureStore', t => testFailureStore(t, make))
t.test('conforms to EventStore', t => testEventStore(t, make))
