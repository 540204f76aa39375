import { microsOf } from '../../common/time.ts'
import type { KnownRelease, RequestFilter } from '../../event-store.ts'
import { number, text } from '../sql/rows.ts'
import type { Source } from '../sql/source.ts'
import { sql } from '../sql/sql.ts'

/** Older releases are left out, because no chart has room for them. */
const maxReleases = 500
/** The newest releases are read for every window, so that the result can be cached. */
const maxCached = 10_000

/** Releases that start in the window, newest first. */
export async function releaseStarts(
  { summary, queryCached }: Source,
  { window, service }: RequestFilter,
): Promise<KnownRelease[]> {
  const [fromUs, toUs] = [microsOf(window.fromMs), microsOf(window.toMs)]
  // The first stored event of a service may not be the start of its release.
  const rows = await queryCached(sql`
    FROM (
      SELECT service, release, min(first_us) AS first_us, min(min(first_us)) OVER (PARTITION BY service) AS service_us
      FROM ${await summary('service_summary')} GROUP BY service, release)
    WHERE release IS NOT NULL AND first_us > service_us
    ORDER BY first_us DESC, service, release LIMIT ${maxCached}`)
  return rows
    .map(row => ({ service: text(row.service), release: text(row.release), firstUs: number(row.first_us) }))
    .filter(({ firstUs }) => firstUs >= fromUs && firstUs < toUs)
    .filter(release => service === null || release.service === service)
    .slice(0, maxReleases)
    .map(({ firstUs, ...release }) => ({ ...release, firstSeenMs: firstUs / 1000 }))
}
