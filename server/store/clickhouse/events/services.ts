import { fieldEquals } from '../../../../shared/query.ts'
import type { Window } from '../../../../shared/range.ts'
import { bucketCount } from '../../buckets.ts'
import { compareText } from '../../common/compare-text.ts'
import { maxReleaseStarts, maxReleases, maxServices } from '../../common/list-limits.ts'
import { newestReleaseFirst } from '../../common/newest-release-first.ts'
import { countsOf } from '../../common/request-sketch.ts'
import { list, number, text, textOrNull } from '../../common/rows.ts'
import { selectsService } from '../../common/selects-service.ts'
import { sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import type { KnownRelease, LastSeen, RequestFilter, ServiceMetrics } from '../../event-store.ts'
import { compile } from '../sql/compile.ts'
import { eventGroups } from '../sql/event-groups.ts'
import { preferProjection } from '../sql/expressions.ts'
import type { Source } from '../sql/source.ts'
import { textList } from '../sql/text-list.ts'
import { readSketch, requestGroups } from './requests.ts'

export async function services(source: Source, window: Window, bucketMs: number): Promise<ServiceMetrics[]> {
  const length = bucketCount(window, bucketMs)
  const isOpenFailure = await source.read(state => compile(fieldEquals('failure', 'open'), state))
  const counts = eventGroups(source, {
    window,
    bucketMs,
    projection: 'event_counts',
    ofLongWindows: 'activity_by_service',
    keys: [sql`service`, sql`release`, sql`fingerprint`],
    values: ['events', 'last_us'],
  })
  const requests = requestGroups(source, {
    window,
    bucketMs: null,
    projection: 'activity_by_service',
    keys: [sql`service`],
  })
  const rows = await source.select(sql`
    SELECT * FROM (
      SELECT service, sum(events) AS event_count, sumIf(events, ${isOpenFailure}) AS failures, max(last_us) AS newest_us,
        argMaxIf(release, (last_us, release), release IS NOT NULL) AS newest_release,
        sumMap([bucket], [events]) AS buckets
      FROM ${counts} GROUP BY service
    ) AS counted LEFT JOIN ${requests} AS durations USING (service)
    ORDER BY failures DESC, errors DESC, event_count DESC, service LIMIT ${maxServices}`)
  return rows
    .map(row => ({
      service: text(row.service),
      release: textOrNull(row.newest_release),
      events: number(row.event_count),
      failures: number(row.failures),
      ...countsOf(readSketch(row)),
      sparkline: readSparkline(row.buckets, length),
      lastSeenMs: number(row.newest_us) / 1000,
    }))
    .sort((a, b) => compareText(a.service, b.service))
}

/** Converts a list of buckets and a list of their counts to one count per bucket. */
export function readSparkline(value: unknown, length: number): number[] {
  const [buckets = [], counts = []] = list(value, each => list(each, number))
  const byBucket = new Map(buckets.map((bucket, index) => [bucket, counts[index] ?? 0]))
  return Array.from({ length }, (_, bucket) => byBucket.get(bucket) ?? 0)
}

export async function lastSeen({ select, events }: Source): Promise<LastSeen[]> {
  const rows = await select(sql`
    SELECT service, source, max(time_us) AS last_us ${events}
    GROUP BY service, source ORDER BY last_us DESC, service, source LIMIT ${maxServices} ${preferProjection('failures')}`)
  return rows
    .map(row => ({
      service: text(row.service),
      source: text(row.source),
      lastSeenMs: number(row.last_us) / 1000,
    }))
    .sort((a, b) => compareText(a.service, b.service) || compareText(a.source, b.source))
}

/** See `EventStore`. */
export async function releaseStarts(
  { select, events }: Source,
  filter: RequestFilter,
): Promise<KnownRelease[]> {
  const { fromMs, toMs } = filter.window
  const rows = await select(sql`
    SELECT service, release, min(time_us) AS first_us ${events} GROUP BY service, release ${preferProjection('failures')}`)
  const firstOfService = new Map<string, number>()
  for (const row of rows) {
    const service = text(row.service)
    const firstUs = Math.min(firstOfService.get(service) ?? Number.POSITIVE_INFINITY, number(row.first_us))
    firstOfService.set(service, firstUs)
  }
  return rows
    .filter(row => {
      const [service, firstUs] = [text(row.service), number(row.first_us)]
      const isInWindow = firstUs >= microsOf(fromMs) && firstUs < microsOf(toMs)
      const isStart = isInWindow && firstUs > (firstOfService.get(service) ?? firstUs)
      return isStart && row.release !== null && selectsService(filter, service)
    })
    .map(readRelease)
    .sort(newestReleaseFirst)
    .slice(0, maxReleaseStarts)
}

export async function releases(
  { select, events }: Source,
  services: readonly string[],
): Promise<KnownRelease[]> {
  if (services.length === 0) return []
  const rows = await select(sql`
    SELECT service, release, min(time_us) AS first_us
    ${events} AND service IN ${textList(services)} AND release IS NOT NULL
    GROUP BY service, release ORDER BY first_us DESC, service, release LIMIT ${maxReleases}
    ${preferProjection('failures')}`)
  return rows.map(readRelease).sort(newestReleaseFirst)
}

function readRelease(row: Readonly<Record<string, unknown>>): KnownRelease {
  return { service: text(row.service), release: text(row.release), firstSeenMs: number(row.first_us) / 1000 }
}
