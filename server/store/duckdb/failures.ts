import type { FailureRow } from '../../../shared/content.ts'
import type { Window } from '../../../shared/range.ts'
import type { FailureQuestion } from '../store.ts'
import { hasDigest } from './digest.ts'
import { describeFailures } from './failure-figures.ts'
import { number, text, textOrNull } from './rows.ts'
import { eventsOf, inWindow, type Source } from './source.ts'
import { type Sql, sql } from './sql.ts'

const sorts: Readonly<Record<FailureQuestion['sort'], Sql>> = {
  newest: sql`max(time_us) DESC, count DESC, fingerprint`,
  frequent: sql`count DESC, max(time_us) DESC, fingerprint`,
}

export async function failures(source: Source, question: FailureQuestion): Promise<FailureRow[]> {
  const { window, bucketMs, sort, service, limit } = question
  const ofService = service === null ? sql`true` : sql`service = ${service}`
  const occurrences = sql`(SELECT * FROM ${eventsOf(source.segments.overlapping(window))}
    WHERE fingerprint IS NOT NULL AND ${inWindow(window)} AND ${ofService})`
  const rows = await source.ask(sql`
    SELECT fingerprint, count(*) AS count FROM ${occurrences}
    GROUP BY fingerprint ORDER BY ${sorts[sort]} LIMIT ${limit}`)
  const fingerprints = rows.map(row => text(row.fingerprint))
  const figures = await describeFailures(source, fingerprints, occurrences, window, bucketMs)
  return fingerprints.flatMap(fingerprint => figures.get(fingerprint) ?? [])
}

export async function failure(
  source: Source,
  fingerprint: string,
  bucketMs: number,
  window: Window,
): Promise<FailureRow | null> {
  const occurrences = sql`(SELECT * FROM ${eventsOf(source.segments.overlapping(window))}
    WHERE fingerprint = ${fingerprint} AND ${inWindow(window)})`
  const figures = await describeFailures(source, [fingerprint], occurrences, window, bucketMs)
  return figures.get(fingerprint) ?? null
}

export async function failureCount({ segments, ask }: Source, window: Window): Promise<number> {
  const [row] = await ask(sql`
    SELECT count(*) AS count FROM ${eventsOf(segments.overlapping(window))}
    WHERE fingerprint IS NOT NULL AND ${inWindow(window)}`)
  return number(row?.count)
}

export async function failureReleases({ segments, ask }: Source, fingerprint: string) {
  const rows = await ask(sql`
    SELECT release, count(*) AS count, min(time_us) AS first_us, max(time_us) AS last_us
    FROM ${eventsOf(segments.all())} WHERE fingerprint = ${fingerprint} GROUP BY release ORDER BY last_us DESC, max(id) DESC`)
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
