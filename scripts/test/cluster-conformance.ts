/**
 * Conformance tests with a distributed table. They take too long for `npm test`, so only `npm run test:clickhouse` runs
 * them.
 */
import t from 'tap'
import { testEventStore, testFailureStore } from '../../server/store/conformance/index.ts'
import { databasesOf, startCluster } from './clickhouse.ts'

const server = await startCluster(t, 'one')
const make = databasesOf(server)

t.test('conforms to FailureStore with a distributed table', t => testFailureStore(t, make))
t.test('conforms to EventStore with a distributed table', t => testEventStore(t, make))
