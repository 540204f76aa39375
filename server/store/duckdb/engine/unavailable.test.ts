import t from 'tap'
import { isDamage, unavailable } from './unavailable.ts'

const replaying = 'Failure while replaying WAL file "/data/events-0000000000000000.duckdb.wal":'

t.test('a lack of memory while the engine replays a log is not damage', async t => {
  for (const message of [
    `Out of Memory Error: ${replaying} could not allocate block of size 256.0 KiB (856.0 KiB/977.0 KiB used)`,
    `Out of Memory Error: ${replaying} Allocation failure`,
    `TransactionContext Error: ${replaying} Failed to commit: failed to pin block of size 256.0 KiB`,
    `TransactionContext Error: ${replaying} Failed to commit: failed to allocate data of size 16.0 KiB`,
  ]) {
    const error = new Error(message)
    t.notOk(isDamage(error), message)
    t.match(unavailable(error, '/data').message, 'SIXPANE_ENGINE_MB')
  }
})

t.test('a failed system call while the engine replays a log is not damage', async t => {
  const log = '"/data/events-0000000000000000.duckdb.wal"'
  for (const message of [
    `Could not read from file ${log}: Input/output error`,
    `Could not read from file ${log}: Stale file handle`,
    `Could not seek to location 0 for file ${log}: Input/output error`,
    `Cannot open file ${log}: Too many open files`,
  ]) {
    const error = new Error(`IO Error: ${replaying} ${message}`)
    t.notOk(isDamage(error), message)
    t.match(unavailable(error, '/data').message, 'check the disk')
  }
})

t.test('other errors while the engine replays a log are damage', async t => {
  for (const message of [
    `IO Error: ${replaying} Could not read enough bytes from file`,
    `Serialization Error: ${replaying} Failed to deserialize`,
    `Catalog Error: ${replaying} Table with name event does not exist`,
  ]) {
    t.ok(isDamage(new Error(message)), message)
  }
})
