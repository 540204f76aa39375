import type { Window } from '../../../shared/range.ts'
import type { FailureFigures, FailureQuestion } from '../store.ts'
import { hasDigest } from './digest.ts'
import { list, number, text, textOrNull } from './rows.ts'
import { eventsOf, inWindow, type Source } from './source.ts'
import { sparklines } from './sparklines.ts'
import { join, type Sql, sql } from './sql.ts'

const digestsShown = 5

const sorts: Readonly<Record<FailureQuestion['sort'], Sql>> = {
  newest: sql`max(time_us) DESC, count DESC, fingerprint`,
  frequent: sql`count DESC, max(time_us) DESC, fingerprint`,
}

export async function failures(source: Source, question: FailureQuestion): Promise<FailureFigures[]> {
  const { window, bucketMs, sort, service, limit } = question
  const ofService = service === null ? sql`true` : sql`service = ${service}`
  const occurrences = sql`(SELECT * FROM ${eventsOf(source.segments.overlapping(window))}
    WHERE fingerprint IS NOT NULL AND ${inWindow(window)} AND ${ofService})`
  const rows = await source.ask(sql`
    SELECT fingerprint, count(*) AS count FROM ${occurrences}
    GROUP BY fingerprint ORDER BY ${sorts[sort]} LIMIT ${limit}`)
  const fingerprints = rows.map(row => text(row.fingerprint))
  const figures = await describe(source, fingerprints, occurrences, window, bucketMs)
  return fingerprints.flatMap(fingerprint => figures.get(fingerprint) ?? [])
}

export async function failure(
  source: Source,
  fingerprint: string,
  bucketMs: number,
  window: Window,
): Promise<FailureFigures | null> {
  const occurrences = sql`(SELECT * FROM ${eventsOf(source.segments.overlapping(window))}
    WHERE fingerprint = ${fingerprint} AND ${inWindow(window)})`
  const figures = await describe(source, [fingerprint], occurrences, window, bucketMs)
  return figures.get(fingerprint) ?? null
}

/** What is known of failures over everything that is kept, with their occurrences in the window as the sparkline. */
async function describe(
  source: Source,
  fingerprints: readonly string[],
  occurrences: Sql,
  window: Window,
  bucketMs: number,
): Promise<Map<string, FailureFigures>> {
  if (fingerprints.length === 0) return new Map()
  const isListed = sql`fingerprint IN (${join(
    fingerprints.map(fingerprint => sql`${fingerprint}`),
    ', ',
  )})`
  const all = sql`(SELECT * FROM ${eventsOf(source.segments.all())} WHERE ${isListed})`
  const [rows, digests, sparklineOf] = await Promise.all([
    source.ask(sql`
      SELECT fingerprint,
        arg_max(coalesce(exception_type, 'Error'), (time_us, id)) AS type,
        arg_max(coalesce(exception_message, body), (time_us, id)) AS message,
        list_sort(list(DISTINCT service)) AS services,
        list_sort(coalesce(list(DISTINCT release) FILTER (WHERE release IS NOT NULL), [])) AS releases,
        min(time_us)::DOUBLE AS first_us, max(time_us)::DOUBLE AS last_us
      FROM ${all} GROUP BY fingerprint`),
    source.ask(sql`
      SELECT fingerprint, digest FROM ${all} WHERE digest IS NOT NULL GROUP BY fingerprint, digest
      QUALIFY row_number() OVER (PARTITION BY fingerprint ORDER BY max(time_us) DESC) <= ${digestsShown}
      ORDER BY max(time_us) DESC`),
    sparklines(source, sql`(FROM ${occurrences} WHERE ${isListed})`, sql`fingerprint`, window, bucketMs),
  ])
  return new Map(
    rows.map(row => {
      const fingerprint = text(row.fingerprint)
      const sparkline = sparklineOf(fingerprint)
      return [
        fingerprint,
        {
          fingerprint,
          type: text(row.type),
          message: text(row.message),
          digests: digests
            .filter(other => other.fingerprint === fingerprint)
            .map(other => text(other.digest)),
          services: list(row.services, text),
          releases: list(row.releases, text),
          count: sparkline.reduce((sum, count) => sum + count, 0),
          firstSeenMs: number(row.first_us) / 1000,
          lastSeenMs: number(row.last_us) / 1000,
          sparkline,
        },
      ]
    }),
  )
}

export async function failureCount({ segments, ask }: Source, window: Window): Promise<number> {
  const [row] = await ask(sql`
    SELECT count(*)::DOUBLE AS count FROM ${eventsOf(segments.overlapping(window))}
    WHERE fingerprint IS NOT NULL AND ${inWindow(window)}`)
  return number(row?.count)
}

export async function failureReleases({ segments, ask }: Source, fingerprint: string) {
  const rows = await ask(sql`
    SELECT release, count(*)::DOUBLE AS count, min(time_us)::DOUBLE AS first_us, max(time_us)::DOUBLE AS last_us
    FROM ${eventsOf(segments.all())} WHERE fingerprint = ${fingerprint} GROUP BY release ORDER BY last_us DESC`)
  return rows.map(row => ({
    release: textOrNull(row.release),
    count: number(row.count),
    firstSeenMs: number(row.first_us) / 1000,
    lastSeenMs: number(row.last_us) / 1000,
  }))
}

export async function fingerprintOfDigest({ segments, ask }: Source, digest: string): Promise<string | null> {
  const [row] = await ask(sql`
    SELECT fingerprint FROM ${eventsOf(segments.all())}
    WHERE digest IS NOT NULL AND fingerprint IS NOT NULL AND ${hasDigest(digest)}
    ORDER BY time_us DESC, id DESC LIMIT 1`)
  return row === undefined ? null : text(row.fingerprint)
}
