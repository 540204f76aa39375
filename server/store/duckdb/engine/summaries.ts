import { eventsOf, type SummaryName } from '../sql/source.ts'
import { join, name, type Sql, sql } from '../sql/sql.ts'
import type { RunQuery } from './connections.ts'
import type { Segment } from './segments.ts'

/** Summaries of segments: see `Source.summary`. */
export type Summaries = {
  /** Returns a summary of these segments, of which the last is the active one. */
  read(summary: SummaryName, segments: readonly Segment[]): Promise<Sql>
  /** Frees the memory of segments that were deleted or changed before the previous call. No query reads their summaries. */
  prune(segments: readonly Segment[]): Promise<void>
}

/** The columns of each summary, and how a segment is summarised. */
const definitions: Readonly<Record<SummaryName, { columns: Sql; summarise(segment: Segment): Sql }>> = {
  service_summary: {
    columns: sql`service VARCHAR, release VARCHAR, source VARCHAR, first_us BIGINT, last_us BIGINT`,
    summarise: segment => sql`
      SELECT service, release, source, min(time_us) AS first_us, max(time_us) AS last_us
      FROM ${eventsOf([segment])} GROUP BY ALL`,
  },
  failure_summary: {
    columns: sql`fingerprint VARCHAR, digest VARCHAR, service VARCHAR, release VARCHAR, source VARCHAR,
      count BIGINT, first_us BIGINT, newest STRUCT(time_us BIGINT, id BIGINT)`,
    summarise: segment => sql`
      SELECT fingerprint, digest, service, release, source, count(*) AS count, min(time_us) AS first_us,
        max({time_us: time_us, id: id}) AS newest
      FROM ${eventsOf([segment])} WHERE fingerprint IS NOT NULL GROUP BY ALL`,
  },
}
const summaryNames = ['service_summary', 'failure_summary'] as const

/**
 * Only the active segment receives events. Each of the others is summarised once, on first use, into tables in memory. A query
 * over all stored events then reads the active segment and a few rows for each of the others.
 */
export async function createSummaries(runQuery: RunQuery): Promise<Summaries> {
  for (const summary of summaryNames) {
    await runQuery(sql`CREATE TABLE ${tableOf(summary)} (segment VARCHAR, ${definitions[summary].columns})`)
  }
  const stored = new Map<string, Map<SummaryName, Promise<unknown>>>()
  let outdated: readonly string[] = []

  /** Summarises a segment, unless that is done or in progress. Queries share the work, so it has no signal. */
  const store = (summary: SummaryName, segment: Segment): Promise<unknown> => {
    const key = keyOf(segment)
    const ofSegment = stored.get(key) ?? new Map<SummaryName, Promise<unknown>>()
    stored.set(key, ofSegment)
    const existing = ofSegment.get(summary)
    if (existing !== undefined) return existing
    const rows = definitions[summary].summarise(segment)
    const storing = runQuery(sql`INSERT INTO ${tableOf(summary)} SELECT ${key}, * FROM (${rows})`)
    storing.catch(() => ofSegment.delete(summary))
    ofSegment.set(summary, storing)
    return storing
  }

  return {
    async read(summary, segments) {
      const sealed = segments.slice(0, -1)
      const keys = sealed.map(keyOf)
      await Promise.all(sealed.map(segment => store(summary, segment)))
      const ofActive = segments.slice(-1).map(definitions[summary].summarise)
      if (keys.length === 0) return sql`(${join(ofActive, '')})`
      const isSealed = sql`segment IN (${join(
        keys.map(key => sql`${key}`),
        ', ',
      )})`
      const ofSealed = sql`SELECT * EXCLUDE (segment) FROM ${tableOf(summary)} WHERE ${isSealed}`
      return sql`(${join([ofSealed, ...ofActive], ' UNION ALL ')})`
    },
    async prune(segments) {
      for (const key of outdated) {
        stored.delete(key)
        for (const summary of summaryNames) {
          await runQuery(sql`DELETE FROM ${tableOf(summary)} WHERE segment = ${key}`)
        }
      }
      const current = new Set(segments.map(keyOf))
      outdated = [...stored.keys()].filter(key => !current.has(key))
    },
  }
}

function tableOf(summary: SummaryName): Sql {
  return sql`memory.main.${name(summary)}`
}

/** A changed segment has a new key, so that it is summarised again. */
function keyOf({ name, revision }: Segment): string {
  return `${name} ${revision}`
}
