import { fieldEquals } from '../../../../shared/query.ts'
import type { Window } from '../../../../shared/range.ts'
import { bucketCount } from '../../buckets.ts'
import { compareText } from '../../common/compare-text.ts'
import { maxServices } from '../../common/list-limits.ts'
import { countsOf } from '../../common/request-sketch.ts'
import { list, number, type Row, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { ServiceMetrics } from '../../event-store.ts'
import { compile } from '../sql/compile.ts'
import { eventGroups } from '../sql/event-groups.ts'
import type { Source } from '../sql/source.ts'
import { readSketch } from './requests.ts'

export async function services(source: Source, window: Window, bucketMs: number): Promise<ServiceMetrics[]> {
  const [rows, sparklines] = await Promise.all([
    totals(source, window),
    sparklinesOf(source, window, bucketMs),
  ])
  const empty = Array.from({ length: bucketCount(window, bucketMs) }, () => 0)
  return rows
    .map(row => {
      const service = text(row.service)
      const events = number(row.event_count)
      return {
        service,
        release: textOrNull(row.release),
        events,
        failures: number(row.failures),
        ...countsOf(readSketch(row)),
        sparkline: empty.length === 1 ? [events] : (sparklines.get(service) ?? empty),
        lastSeenMs: number(row.newest_us) / 1000,
      }
    })
    .sort((a, b) => compareText(a.service, b.service))
}

async function totals(source: Source, window: Window): Promise<Row[]> {
  const isOpenFailure = await source.read(state => compile(fieldEquals('failure', 'open'), state))
  const groups = eventGroups(source, {
    window,
    bucketMs: null,
    projection: 'service_activity',
    keys: [sql`service`, sql`release`, sql`fingerprint`, sql`duration_band`],
    values: ['events', 'failed', 'bins', 'last_us'],
  })
  return source.select(sql`
    SELECT service, sum(events_in_band) AS event_count, sum(failures_in_band) AS failures, max(newest_in_band) AS newest_us,
      nullIf(maxIf(newest_release, newest_release.2 <> '').2, '') AS release,
      groupArrayIf((duration_band, bins_in_band), isNotNull(duration_band)) AS bands,
      sumIf(failed_in_band, isNotNull(duration_band)) AS errors
    FROM (
      SELECT service, duration_band, sum(events) AS events_in_band, sumIf(events, ${isOpenFailure}) AS failures_in_band,
        max(last_us) AS newest_in_band, maxIf((last_us, assumeNotNull(release)), release IS NOT NULL) AS newest_release,
        sum(failed) AS failed_in_band, sumForEach(bins) AS bins_in_band
      FROM ${groups} GROUP BY service, duration_band
    )
    GROUP BY service ORDER BY failures DESC, errors DESC, event_count DESC, service LIMIT ${maxServices}`)
}

/**
 * Returns the sparkline of each service. This is a separate query, because a bucket usually begins within a long grain, so
 * ClickHouse would read all events. Returns nothing if there is only one bucket.
 */
async function sparklinesOf(
  source: Source,
  window: Window,
  bucketMs: number,
): Promise<ReadonlyMap<string, number[]>> {
  const length = bucketCount(window, bucketMs)
  if (length === 1) return new Map()
  const groups = eventGroups(source, {
    window,
    bucketMs,
    projection: 'event_counts',
    ofLongWindows: 'service_activity',
    keys: [sql`service`],
    values: ['events'],
  })
  const rows = await source.select(
    sql`SELECT service, sumMap([bucket], [events]) AS buckets FROM ${groups} GROUP BY service`,
  )
  return new Map(rows.map(row => [text(row.service), readSparkline(row.buckets, length)]))
}

/** Converts a list of buckets and a list of their counts to one count per bucket. */
export function readSparkline(value: unknown, length: number): number[] {
  const [buckets = [], counts = []] = list(value, each => list(each, number))
  const byBucket = new Map(buckets.map((bucket, index) => [bucket, counts[index] ?? 0]))
  return Array.from({ length }, (_, bucket) => byBucket.get(bucket) ?? 0)
}
