import t from 'tap'
import { addressOf, startClickHouse } from '../../../../scripts/test/clickhouse.ts'
import type { Sql } from '../../common/sql.ts'
import { anEvent } from '../../conformance/testing.ts'
import { failureIndexOf } from '../../state/failure-ids.ts'
import { emptyState, type State } from '../../state/state.ts'
import { connect } from '../engine/connection.ts'
import { allEvents } from '../sql/source.ts'
import { openClickHouseStore } from '../store.ts'
import { describeFailures } from './describe-failures.ts'

const server = await startClickHouse(t)

t.test('a query for failures reads only the start of each message, unless it searches for text', async t => {
  const address = addressOf(server, `failures_${process.pid}`)
  const store = await openClickHouseStore(address)
  t.teardown(store.close)
  const long = 'é'.repeat(50_000)
  const exception = { type: 'Error', message: long, stack: null }
  await store.append([
    anEvent({ fingerprint: 'thrown', exception, body: long }),
    anEvent({ fingerprint: 'said', body: long }),
  ])
  const connection = connect(address)
  t.teardown(connection.close)
  const listed = ['thrown', 'said'].map(id => ({ id, count: 1, newestUs: 0, sparkline: [1] }))
  const lengthOfResult = async (cutsMessages: boolean) => {
    let length = 0
    const source = {
      events: allEvents,
      read: async <T>(work: (state: State) => T) => work(emptyState()),
      async selectOfFailures(query: Sql) {
        const rows = await connection.select(query)
        length += JSON.stringify(rows).length
        return rows
      },
    }
    await describeFailures(source, failureIndexOf(emptyState()), listed, { cutsMessages })
    return length
  }
  const short = await lengthOfResult(true)
  t.ok(short < 3000, `${short} characters`)
  const whole = await lengthOfResult(false)
  t.ok(whole > 100_000 && whole < 103_000, `${whole} characters: only one text per failure`)
})
