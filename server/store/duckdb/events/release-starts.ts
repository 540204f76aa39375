import { microsOf } from '../../common/time.ts'
import type { KnownRelease, RequestFilter } from '../../event-store.ts'
import { number, text, textOrNull } from '../sql/rows.ts'
import { eventsOf, inWindow, type Source } from '../sql/source.ts'
import { type Sql, sql } from '../sql/sql.ts'

/**
 * Whether a release of the window was there before is looked up in the segments before it, newest first: most
 * were, right before, and then one segment is read. One that was away for longer than this counts as new again.
 */
const segmentsBack = 20
/** Beyond these the older ones are left out: no chart has room for as many. */
const mostLookedUp = 500

/** The releases that begin in the window, newest first. */
export async function releaseStarts(
  source: Source,
  { window, service }: RequestFilter,
): Promise<KnownRelease[]> {
  const { segments, ask } = source
  const ofService = service === null ? sql`true` : sql`service = ${service}`
  const rows = await ask(sql`
    WITH named AS (
      SELECT service, release, min(time_us) AS first_us FROM ${eventsOf(segments.overlapping(window))}
      WHERE ${inWindow(window)} AND ${ofService} GROUP BY ALL)
    SELECT *, first_us > min(first_us) OVER (PARTITION BY service) AS follows FROM named
    QUALIFY release IS NOT NULL ORDER BY first_us DESC, service, release LIMIT ${mostLookedUp}`)
  const begun = new Map(
    rows.map(row => {
      const known = { service: text(row.service), release: text(row.release) }
      return [keyOf(known), { ...known, firstSeenMs: number(row.first_us) / 1000, follows: row.follows }]
    }),
  )
  const heardOf = new Set<string>()
  for (const earlier of segments.all().toReversed().filter(isBefore(window.fromMs)).slice(0, segmentsBack)) {
    if (begun.size === 0) break
    const known = await ask(namedBefore(eventsOf([earlier]), window.fromMs, ofService))
    for (const row of known) {
      heardOf.add(text(row.service))
      begun.delete(keyOf({ service: text(row.service), release: textOrNull(row.release) }))
    }
  }
  // What a service wrote first of all is the beginning of what is kept of it, not that of a release.
  return [...begun.values()]
    .filter(({ service, follows }) => follows === true || heardOf.has(service))
    .map(({ service, release, firstSeenMs }) => ({ service, release, firstSeenMs }))
}

function isBefore(ms: number): (segment: { fromUs: number }) => boolean {
  return ({ fromUs }) => fromUs < microsOf(ms)
}

function namedBefore(events: Sql, ms: number, ofService: Sql): Sql {
  return sql`SELECT DISTINCT service, release FROM ${events} WHERE time_us < ${microsOf(ms)} AND ${ofService}`
}

function keyOf({ service, release }: { service: string; release: string | null }): string {
  return JSON.stringify([service, release])
}
