import { redacted } from '../../../../shared/event.ts'
import { grainUs } from '../../common/metrics/times.ts'
import { createMutex, type Mutex } from '../../common/mutex.ts'
import { join, name, type Sql, sql } from '../../common/sql.ts'
import { firstAttribute } from '../sql/attribute.ts'
import { floorTo } from '../sql/floor-to.ts'
import { eventsBetween, type SummaryName, summaryNames } from '../sql/source.ts'
import { textList } from '../sql/text-list.ts'
import type { RunQuery } from './connections.ts'
import type { Segment } from './segments.ts'
import { storedServiceSummary } from './stored-summaries.ts'

/** Summaries of segments: see `Source.summary`. */
export type Summaries = {
  /** Returns a summary of these segments. The last one must be the active segment. */
  read(summary: SummaryName, segments: readonly Segment[]): Promise<Sql>
  /**
   * Frees the summaries of segments that were deleted or changed before the previous call, because no query reads them any
   * more.
   */
  prune(segments: readonly Segment[]): Promise<void>
}

/** A visitor's request is one trace, regardless of how many services it passes through. */
const request = sql`coalesce(trace_id, request_id)`
/**
 * OpenTelemetry's `user.id` (https://opentelemetry.io/docs/specs/semconv/registry/attributes/user/), its former name, and
 * the usual name in pino logs.
 */
const user = firstAttribute(['user.id', 'enduser.id', 'userId'])

/** The columns of each summary, and the query that summarises events. */
const definitions: Readonly<Record<SummaryName, { columns: Sql; summarise(events: Sql): Sql }>> = {
  service_summary: {
    columns: sql`from_us BIGINT, service VARCHAR, release VARCHAR, source VARCHAR,
      count BIGINT, first_us BIGINT, last_us BIGINT`,
    summarise: events => sql`
      SELECT ${floorTo(sql`time_us`, grainUs)} AS from_us, service, release, source,
        count(*) AS count, min(time_us) AS first_us, max(time_us) AS last_us
      FROM ${events} GROUP BY ALL`,
  },
  failure_summary: {
    columns: sql`fingerprint VARCHAR, digest VARCHAR, service VARCHAR, release VARCHAR, source VARCHAR,
      has_exception BOOLEAN, count BIGINT, first_us BIGINT, newest STRUCT(time_us BIGINT, id BIGINT)`,
    summarise: events => sql`
      SELECT fingerprint, digest, service, release, source, exception_type IS NOT NULL AS has_exception,
        count(*) AS count, min(time_us) AS first_us, max({time_us: time_us, id: id}) AS newest
      FROM ${events} WHERE fingerprint IS NOT NULL GROUP BY ALL`,
  },
  impact_summary: {
    columns: sql`fingerprint VARCHAR, service VARCHAR, count BIGINT, without_request BIGINT, without_user BIGINT,
      requests UBIGINT[], users UBIGINT[]`,
    summarise: events => sql`
      SELECT fingerprint, service, count(*) AS count,
        count(*) FILTER (WHERE request IS NULL) AS without_request,
        count(*) FILTER (WHERE user_id IS NULL) AS without_user,
        list(DISTINCT hash(request)) FILTER (WHERE request IS NOT NULL) AS requests,
        list(DISTINCT hash(user_id)) FILTER (WHERE user_id IS NOT NULL) AS users
      FROM (SELECT fingerprint, service, ${request} AS request, nullif(${user}, ${redacted}) AS user_id
        FROM ${events} WHERE fingerprint IS NOT NULL)
      GROUP BY fingerprint, service`,
  },
}

/** The rows of `service_summary` for these events. */
export function summariseServices(events: Sql): Sql {
  return definitions.service_summary.summarise(events)
}

/** Approximate limit on unsummarised events that a query reads from the active segment. */
const maxUnsummarised = 50_000

/** The number of summarised events in a segment, and the id of the last one. */
type Summarised = { events: number; lastId: number; withLock: Mutex }

function emptySummary(): Summarised {
  return { events: 0, lastId: -1, withLock: createMutex() }
}

/**
 * Events are only appended, with increasing ids. Events up to an id are therefore summarised once, into in-memory tables. A
 * query over all stored events reads these few rows and the events after that id.
 */
export async function createSummaries(runQuery: RunQuery): Promise<Summaries> {
  for (const summary of summaryNames) {
    const { columns } = definitions[summary]
    await runQuery(sql`CREATE TABLE ${tableOf(summary)} (part VARCHAR, last_id BIGINT, ${columns})`)
  }
  const parts = new Map<string, Readonly<Record<SummaryName, Summarised>>>()
  let outdated: readonly string[] = []
  const inserts = new Set<Promise<unknown>>()
  let replacing: Promise<void> | null = null

  /**
   * Replaces each table with a copy that contains only the rows of these parts. A `DELETE` would free no memory until a
   * `CHECKPOINT`, which frees none while queries run.
   */
  const keepOnly = async (kept: readonly string[]) => {
    // Rows inserted while a table is being replaced would be lost.
    await Promise.allSettled(inserts)
    for (const summary of summaryNames) {
      const table = tableOf(summary)
      await runQuery(
        sql`CREATE OR REPLACE TABLE ${table} AS SELECT * FROM ${table} WHERE part IN ${textList(kept)}`,
      )
    }
  }

  /** Summarises the rest of a segment. Skips the active segment if few events are left. Returns the last summarised id. */
  const summarise = (summary: SummaryName, segment: Segment, isActive: boolean): Promise<number> => {
    const part = partKey(segment, isActive)
    const ofPart = parts.get(part) ?? {
      service_summary: emptySummary(),
      failure_summary: emptySummary(),
      impact_summary: emptySummary(),
    }
    parts.set(part, ofPart)
    const done = ofPart[summary]
    return done.withLock(async () => {
      const { events, lastId } = segment
      if (isActive ? events - done.events >= maxUnsummarised : lastId > done.lastId) {
        const isStored = summary === 'service_summary' && done.lastId < 0 && segment.hasSummaries
        const rows = isStored
          ? sql`FROM ${storedServiceSummary(segment)}`
          : definitions[summary].summarise(eventsBetween(segment, done.lastId, lastId))
        while (replacing !== null) await replacing.catch(() => {})
        // Other queries wait for this one, so it cannot be aborted.
        const insert = runQuery(
          sql`INSERT INTO ${tableOf(summary)} SELECT ${part}, ${lastId}, * FROM (${rows})`,
        )
        inserts.add(insert)
        await insert.finally(() => inserts.delete(insert))
        Object.assign(done, { events, lastId })
      }
      return done.lastId
    })
  }

  return {
    async read(summary, segments) {
      const active = segments.at(-1)
      const rows = segments.map(async segment => {
        const part = partKey(segment, segment === active)
        const lastId = await summarise(summary, segment, segment === active)
        const stored = sql`(part = ${part} AND last_id <= ${lastId})`
        const others = definitions[summary].summarise(eventsBetween(segment, lastId, Number.MAX_SAFE_INTEGER))
        return { stored, others: segment === active ? [others] : [] }
      })
      const all = await Promise.all(rows)
      const stored = sql`SELECT * EXCLUDE (part, last_id) FROM ${tableOf(summary)}
        WHERE ${join(
          all.map(({ stored }) => stored),
          ' OR ',
        )}`
      return sql`(${join([stored, ...all.flatMap(({ others }) => others)], ' UNION ALL ')})`
    },
    async prune(segments) {
      while (replacing !== null) await replacing.catch(() => {})
      const removed = outdated
      for (const part of removed) parts.delete(part)
      const kept = [...parts.keys()]
      const current = new Set(segments.map(segment => partKey(segment, segment === segments.at(-1))))
      outdated = kept.filter(part => !current.has(part))
      if (removed.length === 0) return
      replacing = keepOnly(kept).finally(() => {
        replacing = null
      })
      await replacing
    },
  }
}

function tableOf(summary: SummaryName): Sql {
  return sql`memory.main.${name(summary)}`
}

/**
 * Identifies a summary of a segment. A segment is summarised again when its stored events change. It is also summarised
 * again, as a whole, when it stops being active, because that results in fewer rows.
 */
export function partKey({ name, revision }: Segment, isActive: boolean): string {
  return `${name} ${revision} ${isActive ? 'active' : 'sealed'}`
}
