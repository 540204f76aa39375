import type { Window } from '../../../../shared/range.ts'
import type { Row } from '../engine/connections.ts'
import type { Segment, Segments } from '../engine/segments.ts'
import { join, name, type Sql, sql } from './sql.ts'
import { microsOf } from './time.ts'

/** What one question is asked of, with its signal already tied in. */
export type Source = {
  segments: Pick<Segments, 'all' | 'overlapping'>
  ask(question: Sql): Promise<Row[]>
}

/** More buckets than any chart has columns are a mistake of the caller, and a page of memory each. */
const mostBuckets = 10_000

/** The events of these segments as one table. */
export function eventsOf(segments: readonly Segment[]): Sql {
  const tables = segments.map(segment => sql`SELECT * FROM ${name(segment.name)}.event`)
  return sql`(${join(tables, ' UNION ALL ')})`
}

export function inWindow({ fromMs, toMs }: Window): Sql {
  return sql`time_us >= ${microsOf(fromMs)} AND time_us < ${microsOf(toMs)}`
}

/** The number of the bucket that an event of the window falls into. */
export function bucketOf({ fromMs }: Window, bucketMs: number): Sql {
  return sql`((time_us - ${microsOf(fromMs)}) // ${microsOf(bucketMs)})`
}

/** @throws RangeError when the window has no bucket or too many */
export function bucketCount({ fromMs, toMs }: Window, bucketMs: number): number {
  const count = Math.ceil((toMs - fromMs) / bucketMs)
  if (!(bucketMs > 0 && count >= 0 && count <= mostBuckets)) {
    throw new RangeError(`A window has at most ${mostBuckets} buckets`)
  }
  return count
}
