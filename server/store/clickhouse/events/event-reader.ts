import type { EventReader } from '../../common/metrics/event-reader.ts'
import { withMinuteCells } from '../../common/metrics/minute-cells.ts'
import { withMinuteChunks } from '../../common/metrics/minute-chunks.ts'
import { bucketFinder, bucketsOf } from '../../common/metrics/times.ts'
import { visitBlocks } from '../../common/metrics/visit-blocks.ts'
import { number, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { failureIndexOf } from '../../state/failure-ids.ts'
import { eventGroups } from '../sql/event-groups.ts'
import type { Source } from '../sql/source.ts'
import { addCached, queryRequests } from './requests.ts'

export function eventReader(source: Source): EventReader {
  return {
    failureIndex: () => source.read(failureIndexOf),
    visitEvents: (...args) => visitEvents(source, ...args),
    visitRequests: (...args) => visitRequests(source, ...args),
  }
}

async function visitEvents(
  { cache, services, events, select }: Source,
  ...[{ window, bucketMs, onlyFailures = false }, visit]: Parameters<EventReader['visitEvents']>
): Promise<void> {
  const buckets = bucketsOf(window, bucketMs)
  const cached = await cache.activity(window, buckets.bucketUs)
  if (cached !== null) {
    const parts = cached.map(part => ({ ...part, services }))
    return visitBlocks(await withMinuteChunks(parts, buckets), buckets, group =>
      onlyFailures && group.fingerprint === null ? null : visit(group),
    )
  }
  const groups = eventGroups(
    { events },
    {
      window,
      bucketMs,
      projection: 'service_activity',
      keys: [sql`service`, sql`release`, sql`fingerprint`, sql`duration_band`],
      values: ['events', 'failed', 'last_us'],
      condition: onlyFailures ? sql`fingerprint IS NOT NULL` : sql`true`,
    },
  )
  const rows = await select(sql`
    SELECT service, release, fingerprint, sum(events) AS count, sumIf(failed, isNotNull(duration_band)) AS errors,
      max(last_us) AS newest_us
    FROM ${groups} GROUP BY bucket, service, release, fingerprint`)
  for (const row of rows) {
    const group = {
      service: text(row.service),
      release: textOrNull(row.release),
      fingerprint: textOrNull(row.fingerprint),
    }
    const [count, errors, newestUs] = [number(row.count), number(row.errors), number(row.newest_us)]
    if (errors > 0) visit({ ...group, isError: true })?.(newestUs, errors)
    if (errors < count) visit({ ...group, isError: false })?.(newestUs, count - errors)
  }
}

async function visitRequests(
  source: Source,
  ...[filter, { bucketMs, grouping }, select]: Parameters<EventReader['visitRequests']>
): Promise<void> {
  const buckets = bucketsOf(filter.window, bucketMs)
  const bucketAt = bucketFinder(buckets)
  const cached = await source.cache.requests(filter.window, buckets.bucketUs, 'service')
  if (cached !== null) {
    const { cells, events } = await withMinuteCells(
      [{ ...cached.events, services: source.services }],
      buckets,
    )
    return addCached(source, [...cached.cells, ...cells], events, filter, buckets, key => {
      const sketchOf = select(key)
      return sketchOf && (timeUs => sketchOf(bucketAt(timeUs)))
    })
  }
  const rows = await queryRequests(source, filter, { bucketMs, grouping })
  for (const { key, bucket, addTo } of rows) {
    const sketch = select(key)?.(bucket)
    if (sketch !== undefined) addTo(sketch)
  }
}
