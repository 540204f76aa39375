import { binsPerE, minBinMs } from '../../common/duration-bins.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import { durationEdgesMs } from '../../duration-edges.ts'
import { verbatim } from './verbatim.ts'

// Projections and queries share these expressions, because ClickHouse uses a projection only for equal ones. They contain no
// bound values, which have other types.

/** The lengths of the grains in the projections. Requests by route have longer ones, or a week would have millions of groups. */
export const eventGrainUs = 5 * 60_000_000
export const requestGrainUs = 30 * 60_000_000
export const routeGrainUs = 3 * 3_600_000_000

/** The number of the grain of this length that contains an event, since 1970. */
export function grainNumber(grainUs: number): Sql {
  return sql`intDiv(time_us, ${literal(grainUs)})`
}

/** Greater for newer events. Events with equal times are ordered by id. */
export const recency = sql`(toInt128(time_us) * 9007199254740992 + id)`

const duration = sql`assumeNotNull(duration_ms)`
const edges = sql`[${join(durationEdgesMs.map(literal), ', ')}]`

/** The lower limit of the bin that contains a request's duration (see `binOf`). `NULL` for an event that is not a request. */
export const binFromMs = sql`if(status IS NULL OR duration_ms IS NULL, NULL, greatest(
  if(${duration} < ${literal(minBinMs)}, 0, exp(floor(log(${duration}) * ${literal(binsPerE)}) / ${literal(binsPerE)})),
  if(${duration} < ${literal(durationEdgesMs[0] ?? 0)}, 0, roundDown(${duration}, ${edges}))))`

/** Greater for events that describe a failure better: newer ones, and not those of browsers, which may lack the cause. */
export const descriptionRank = sql`(NOT (source = 'browser' AND digest IS NOT NULL), ${recency})`

/** The values of an event that describe its failure. */
export const description = sql`(exception_type, exception_message, body, method, route, release)`

/** The digests of a group, and for each of them the `recency` of its newest event. */
export const digestsSeen = sql`maxMapIf([assumeNotNull(digest)], [${recency}], digest IS NOT NULL)`

function literal(value: number): Sql {
  return verbatim(String(value))
}
