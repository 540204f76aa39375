import type { Window } from '../../../shared/range.ts'
import type { FailureFigures } from '../store.ts'
import type { Row } from './connections.ts'
import { list, number, text } from './rows.ts'
import { eventsOf, type Source } from './source.ts'
import { sparklines } from './sparklines.ts'
import { join, type Sql, sql } from './sql.ts'

const digestsShown = 5

/**
 * What is known of these failures over everything that is kept, by fingerprint; `occurrences` are those of the
 * window. One that no event has is left out.
 */
export async function describeFailures(
  source: Source,
  fingerprints: readonly string[],
  occurrences: Sql,
  window: Window,
  bucketMs: number,
): Promise<Map<string, FailureFigures>> {
  if (fingerprints.length === 0) return new Map()
  const isListed = sql`fingerprint IN (${values(fingerprints)})`
  const all = sql`(SELECT * FROM ${eventsOf(source.segments.all())} WHERE ${isListed})`
  const [rows, digests, sparklineOf] = await Promise.all([
    withNewest(source, all),
    newestDigests(source, all),
    sparklines(source, sql`(FROM ${occurrences} WHERE ${isListed})`, sql`fingerprint`, window, bucketMs),
  ])
  return new Map(
    rows.map(row => {
      const fingerprint = text(row.fingerprint)
      const sparkline = sparklineOf(fingerprint)
      const figures = {
        fingerprint,
        type: text(row.type),
        message: text(row.message),
        digests: digests.filter(other => other.fingerprint === fingerprint).map(({ digest }) => text(digest)),
        services: list(row.services, text),
        releases: list(row.releases, text),
        count: sparkline.reduce((sum, count) => sum + count, 0),
        firstSeenMs: number(row.first_us) / 1000,
        lastSeenMs: number(row.last_us) / 1000,
        sparkline,
      }
      return [fingerprint, figures]
    }),
  )
}

/** In two steps, so that type and message are read of the newest occurrences alone. */
async function withNewest({ segments, ask }: Source, all: Sql): Promise<Row[]> {
  const rows = await ask(sql`
    SELECT fingerprint, struct_extract_at(max((time_us, id)), 2) AS newest_id,
      list_sort(list(DISTINCT service)) AS services,
      list_sort(coalesce(list(DISTINCT release) FILTER (WHERE release IS NOT NULL), [])) AS releases,
      min(time_us) AS first_us, max(time_us) AS last_us
    FROM ${all} GROUP BY fingerprint`)
  if (rows.length === 0) return []
  const newest = await ask(sql`
    SELECT id, coalesce(exception_type, 'Error') AS type, coalesce(exception_message, body) AS message
    FROM ${eventsOf(segments.all())} WHERE id IN (${values(rows.map(row => number(row.newest_id)))})`)
  const byId = new Map(newest.map(row => [row.id, row]))
  return rows.map(row => ({ ...row, ...byId.get(row.newest_id) }))
}

function newestDigests({ ask }: Source, all: Sql): Promise<Row[]> {
  return ask(sql`
    SELECT fingerprint, digest FROM ${all} WHERE digest IS NOT NULL GROUP BY fingerprint, digest
    QUALIFY row_number() OVER (PARTITION BY fingerprint ORDER BY max(time_us) DESC, max(id) DESC) <= ${digestsShown}
    ORDER BY max(time_us) DESC, max(id) DESC`)
}

function values(list: readonly (string | number)[]): Sql {
  return join(
    list.map(value => sql`${value}`),
    ', ',
  )
}
