import { createTimeSlice } from '../../../time-slice.ts'
import type { CountedGroup, EventReader } from '../../common/metrics/event-reader.ts'
import { withMinuteChunks } from '../../common/metrics/minute-chunks.ts'
import { bucketsOf } from '../../common/metrics/times.ts'
import { visitBlocks } from '../../common/metrics/visit-blocks.ts'
import { number, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { isRequestEvent } from '../sql/duration-lists.ts'
import { bucketOf, type Source } from '../sql/source.ts'
import { countedParts } from './counted-parts.ts'

/** See `EventReader`. */
export async function visitEvents(
  source: Source,
  ...[{ window, bucketMs, onlyFailures = false }, select]: Parameters<EventReader['visitEvents']>
): Promise<void> {
  const buckets = bucketsOf(window, bucketMs)
  const { bucketUs } = buckets
  const { blocks, events } = await countedParts(source, window, { bucketUs, onlyFailures })
  await visitBlocks(await withMinuteChunks(blocks, buckets), buckets, select)
  if (events === null) return
  const counts = await source.read(sql`
    SELECT ${bucketOf(window, bucketMs)} AS bucket, service, release, fingerprint,
      coalesce(${isRequestEvent} AND status >= 500, false) AS is_error, count(*) AS count, max(time_us) AS newest_us
    FROM ${events} GROUP BY ALL`)
  const slice = createTimeSlice()
  for (let row = 0; row < counts.rowCount; row += 1) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    const group: CountedGroup = {
      service: text(counts.value(1, row)),
      release: textOrNull(counts.value(2, row)),
      fingerprint: textOrNull(counts.value(3, row)),
      isError: counts.value(4, row) === true,
    }
    select(group)?.(number(counts.value(6, row)), number(counts.value(5, row)))
  }
}
