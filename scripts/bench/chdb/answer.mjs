/**
 * Loads a Parquet file into a table with a text index and answers queries: `answer.mjs <folder> <file>`. Runs in its own
 * process, because chDB is installed outside the repository.
 */
import { Session } from 'chdb'

const [folder, file] = process.argv.slice(2)
const session = new Session(folder)
session.query(`CREATE TABLE event (
  time_ms Int64, severity LowCardinality(String), service LowCardinality(String), body String,
  request_id String, route LowCardinality(String), status Nullable(Int32), duration_ms Nullable(Float64),
  attributes String,
  INDEX words body TYPE text(tokenizer = splitByNonAlpha),
  INDEX request_ids request_id TYPE bloom_filter
) ENGINE = MergeTree ORDER BY time_ms`)
session.query(`INSERT INTO event SELECT time_ms, severity, service, body, ifNull(request_id, ''), ifNull(route, ''),
  status, duration_ms, attributes FROM file('${file}', 'Parquet')`)

process.on('message', sql => {
  const startedMs = performance.now()
  const result = session.query(sql, 'JSONEachRow')
  process.send({ durationMs: performance.now() - startedMs, bytes: result.length })
})
process.send('ready')
