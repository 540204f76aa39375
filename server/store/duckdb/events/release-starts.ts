import { microsOf } from '../../common/time.ts'
import type { KnownRelease, RequestFilter } from '../../event-store.ts'
import { number, text, textOrNull } from '../sql/rows.ts'
import { eventsOf, inWindow, type Source } from '../sql/source.ts'
import { type Sql, sql } from '../sql/sql.ts'

/**
 * How many segments before the window are searched for its releases, newest first. Most releases also occur right before the
 * window, so one segment is usually enough. A release that none of the segments contains counts as new.
 */
const segmentsBack = 20
/** Older releases are left out, because no chart has room for them. */
const maxReleases = 500

/** Releases that start in the window, newest first. */
export async function releaseStarts(
  source: Source,
  { window, service }: RequestFilter,
): Promise<KnownRelease[]> {
  const { segments, query } = source
  const ofService = service === null ? sql`true` : sql`service = ${service}`
  const rows = await query(sql`
    WITH release_start AS (
      SELECT service, release, min(time_us) AS first_us FROM ${eventsOf(segments.overlapping(window))}
      WHERE ${inWindow(window)} AND ${ofService} GROUP BY ALL)
    SELECT *, first_us > min(first_us) OVER (PARTITION BY service) AS follows FROM release_start
    QUALIFY release IS NOT NULL ORDER BY first_us DESC, service, release LIMIT ${maxReleases}`)
  const starts = new Map(
    rows.map(row => {
      const known = { service: text(row.service), release: text(row.release) }
      return [keyOf(known), { ...known, firstSeenMs: number(row.first_us) / 1000, follows: row.follows }]
    }),
  )
  const earlierServices = new Set<string>()
  for (const segment of segments.all().toReversed().filter(isBefore(window.fromMs)).slice(0, segmentsBack)) {
    if (starts.size === 0) break
    const known = await query(releasesBefore(eventsOf([segment]), window.fromMs, ofService))
    for (const row of known) {
      earlierServices.add(text(row.service))
      starts.delete(keyOf({ service: text(row.service), release: textOrNull(row.release) }))
    }
  }
  // The first stored event of a service may not be the start of its release.
  return [...starts.values()]
    .filter(({ service, follows }) => follows === true || earlierServices.has(service))
    .map(({ service, release, firstSeenMs }) => ({ service, release, firstSeenMs }))
}

function isBefore(ms: number): (segment: { fromUs: number }) => boolean {
  return ({ fromUs }) => fromUs < microsOf(ms)
}

function releasesBefore(events: Sql, ms: number, ofService: Sql): Sql {
  return sql`SELECT DISTINCT service, release FROM ${events} WHERE time_us < ${microsOf(ms)} AND ${ofService}`
}

function keyOf({ service, release }: { service: string; release: string | null }): string {
  return JSON.stringify([service, release])
}
