import { raw, type Sql, sql } from '../../common/sql.ts'
import { firstAttribute } from './attribute.ts'
import { verbatim } from './verbatim.ts'

// Projections and queries share these expressions, because ClickHouse uses a projection only for queries with the same
// expressions. They contain no bound values, because these would have different types.

/**
 * The lengths of the time grains in the projections. Requests by route have longer grains, because a week would otherwise
 * have millions of groups.
 */
export const grainsUs = {
  event_counts: 5 * 60_000_000,
  service_activity: 30 * 60_000_000,
  route_durations: 3 * 3_600_000_000,
} as const

export type ProjectionName = keyof typeof grainsUs | 'newest_ids' | 'failures' | 'occurrences'

/**
 * Ends a query that reads a projection. Other queries read events, because comparing a query with every projection takes
 * ClickHouse a long time.
 */
export function preferProjection(projection: ProjectionName): Sql {
  return sql`SETTINGS ${verbatim(preferredProjection)} = '${verbatim(projection)}'`
}

const preferredProjection = 'preferred_optimize_projection_name'

/** Whether a part of a statement ends with `preferProjection`. */
export function readsProjection(statement: string): boolean {
  return statement.includes(`SETTINGS ${preferredProjection}`)
}

/** The number of the grain that contains an event, counted from 1970. */
export function grainNumber(grainUs: number): Sql {
  return sql`intDiv(time_us, ${literal(grainUs)})`
}

/** Greater for newer events. Events with equal times are ordered by id. */
export const recency = sql`(toInt128(time_us) * 9007199254740992 + id)`

/** A single request as a list of counts for the bins of its band. `sumForEach` adds up such lists. */
export const requestBins = sql`arrayPushBack(arrayWithConstant(duration_bin, toUInt64(0)), toUInt64(1))`

/**
 * Greater for events that describe a failure better. Newer events rank higher. Browser events with a digest rank lowest,
 * because they may lack the cause.
 */
export const descriptionRank = sql`(NOT (source = 'browser' AND digest IS NOT NULL), ${recency})`

/** The values of an event that describe its failure. */
export const description = sql`(exception_type, exception_message, body, method, route, release)`

/** The digests of a group, and for each of them the `recency` of its newest event. */
export const digestsSeen = sql`maxMapIf([assumeNotNull(digest)], [${recency}], digest IS NOT NULL)`

/** The request of a failure's occurrence. `NULL` for other events, so that they form a single group. */
export const failedRequest = sql`if(fingerprint IS NULL, NULL, coalesce(trace_id, request_id))`

/** The user of a failure's occurrence. */
export const affectedUser = sql`if(fingerprint IS NULL, NULL, ${inline(firstAttribute(['user.id', 'enduser.id', 'userId']))})`

/** Replaces bound values with constants. The values must be strings from Sixpane's source code. */
function inline({ texts, values }: Sql): Sql {
  const constants = values.map(value => {
    if (typeof value !== 'string') throw new TypeError('Not a string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  })
  return raw(texts.reduce((all, part, index) => all + constants[index - 1] + part))
}

function literal(value: number): Sql {
  return verbatim(String(value))
}
