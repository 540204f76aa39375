/**
 * Conformance tests with a distributed table. They take too long for `npm test`, so only `npm run test:clickhouse` runs
 * them.
 */
import t from 'tap'
import { testEventStore, testFailureStore } from '../../server/store/conformance/index.ts'
import { databasesOf, hasCluster, startCluster } from './clickhouse.ts'

const server = await startCluster(t, 'one')
const make = databasesOf(server)
const skip = !hasCluster()

t.test('conforms to FailureStore with a distributed table', { skip }, t => testFailureStore(t, make))
t.test('conforms to EventStore with a distributed table', { skip }, t => testEventStore(t, make))
