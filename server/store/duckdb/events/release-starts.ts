import { microsOf } from '../../common/time.ts'
import type { KnownRelease, RequestFilter } from '../../event-store.ts'
import { number, text } from '../sql/rows.ts'
import type { Source } from '../sql/source.ts'
import { sql } from '../sql/sql.ts'

/** Older releases are left out, because no chart has room for them. */
const maxReleases = 500

/** Releases that start in the window, newest first. */
export async function releaseStarts(
  { summary, query }: Source,
  { window, service }: RequestFilter,
): Promise<KnownRelease[]> {
  const ofService = service === null ? sql`true` : sql`service = ${service}`
  // The first stored event of a service may not be the start of its release.
  const rows = await query(sql`
    FROM (
      SELECT service, release, min(first_us) AS first_us, min(min(first_us)) OVER (PARTITION BY service) AS service_us
      FROM ${await summary('service_summary')} WHERE ${ofService} GROUP BY service, release)
    WHERE release IS NOT NULL AND first_us > service_us
      AND first_us >= ${microsOf(window.fromMs)} AND first_us < ${microsOf(window.toMs)}
    ORDER BY first_us DESC, service, release LIMIT ${maxReleases}`)
  return rows.map(row => ({
    service: text(row.service),
    release: text(row.release),
    firstSeenMs: number(row.first_us) / 1000,
  }))
}
