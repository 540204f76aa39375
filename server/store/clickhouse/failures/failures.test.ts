import t from 'tap'
import { addressOf, startClickHouse } from '../../../../scripts/test/clickhouse.ts'
import { allFailures, anEvent } from '../../conformance/testing.ts'
import { emptyState } from '../../state/state.ts'
import { connect } from '../engine/connection.ts'
import { allEvents } from '../sql/source.ts'
import { openClickHouseStore } from '../store.ts'
import { failures } from './failures.ts'

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
  const lengthOfResult = async (text: string | null) => {
    let length = 0
    await failures(
      {
        events: allEvents,
        read: async work => work(emptyState()),
        async select(query) {
          const rows = await connection.select(query)
          length += JSON.stringify(rows).length
          return rows
        },
      },
      { ...allFailures, text },
    )
    return length
  }
  const short = await lengthOfResult(null)
  t.ok(short < 3000, `${short} characters`)
  const whole = await lengthOfResult('é')
  t.ok(whole > 100_000 && whole < 103_000, `${whole} characters: only one text per failure`)
})
