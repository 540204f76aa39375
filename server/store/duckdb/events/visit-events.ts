import type { Window } from '../../../../shared/range.ts'
import { createTimeSlice } from '../../../time-slice.ts'
import { number, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import type { EventGroup } from '../engine/event-block.ts'
import { isRequestEvent } from '../sql/duration-lists.ts'
import { bucketOf, type Source } from '../sql/source.ts'
import { countedParts } from './counted-parts.ts'
import { visitBlocks } from './visit-blocks.ts'

/** Fields that the engine can group events by, because they have few distinct values. */
export type CountedGroup = Pick<EventGroup, 'service' | 'release' | 'source' | 'fingerprint' | 'isError'>

/** Called with the time of the newest of `count` events. */
export type VisitEvents = (timeUs: number, count: number) => void

/**
 * Visits the events in a window. Several groups may have equal fields.
 * @param options.bucketMs each call to the returned function is for events from a single bucket
 * @param select returns the function to call for the events of a group; `null` skips the group
 */
export async function visitEvents(
  source: Source,
  { window, bucketMs, onlyFailures = false }: { window: Window; bucketMs: number; onlyFailures?: boolean },
  select: (group: CountedGroup) => VisitEvents | null,
): Promise<void> {
  const { blocks, events } = await countedParts(source, window, {
    bucketUs: microsOf(bucketMs),
    onlyFailures,
  })
  await visitBlocks(blocks, select)
  if (events === null) return
  const counts = await source.read(sql`
    SELECT ${bucketOf(window, bucketMs)} AS bucket, service, release, source, fingerprint,
      coalesce(${isRequestEvent} AND status >= 500, false) AS is_error, count(*) AS count, max(time_us) AS newest_us
    FROM ${events} GROUP BY ALL`)
  const slice = createTimeSlice()
  for (let row = 0; row < counts.rowCount; row += 1) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    const group = {
      service: text(counts.value(1, row)),
      release: textOrNull(counts.value(2, row)),
      source: text(counts.value(3, row)),
      fingerprint: textOrNull(counts.value(4, row)),
      isError: counts.value(5, row) === true,
    }
    select(group)?.(number(counts.value(7, row)), number(counts.value(6, row)))
  }
}
