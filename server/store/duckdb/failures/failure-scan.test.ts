import t from 'tap'
import { sql } from '../../common/sql.ts'
import { anEvent } from '../../conformance/testing.ts'
import { openDatabase } from '../engine/database.ts'
import { scanAfter, writeReleases } from './failure-scan.ts'

t.test("parses a failure's old releases once, even if it has several occurrences", async t => {
  const database = await openDatabase(t.testdir(), {
    memoryBytes: null,
    nowMs: Date.now,
    logger: undefined,
  })
  t.teardown(() => database.close())
  const oldReleases = [{ service: 'shop', release: '1.0.0' }]
  for (const fingerprint of ['0000000001', '0000000002']) {
    await database.workspace.execute(
      sql`INSERT INTO workspace.failure_fingerprint (fingerprint, failure_id) VALUES (${fingerprint}, ${fingerprint})`,
      sql`INSERT INTO workspace.failure_state (failure_id, state, state_ms, resolved_ms, old_releases, after_id)
        VALUES (${fingerprint}, 'resolved', 5, 5, ${writeReleases(oldReleases)}, 0)`,
    )
  }
  await database.append(
    [
      anEvent({ fingerprint: '0000000001', release: '1.1.0' }),
      anEvent({ fingerprint: '0000000001', release: '1.2.0' }),
      anEvent({ fingerprint: '0000000002', release: '1.2.0' }),
      anEvent({ fingerprint: '0000000003', release: '1.2.0' }),
    ],
    [],
  )
  const parsed = t.capture(JSON, 'parse', JSON.parse)
  const { occurrences } = await database.reading(undefined, source =>
    scanAfter(source, 0, Number.MAX_SAFE_INTEGER, 10),
  )
  const resolution = { atMs: 5, release: null, oldReleases }
  t.strictSame(
    occurrences.map(each => each.resolution),
    [resolution, resolution, resolution, null],
  )
  t.equal(parsed().filter(({ args: [text] }) => text === writeReleases(oldReleases)).length, 2)
})
