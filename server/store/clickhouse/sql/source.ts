import type { Window } from '../../../../shared/range.ts'
import type { Row } from '../../common/rows.ts'
import type { ServiceTimes } from '../../common/service-times.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import type { State } from '../../state/state.ts'
import type { EventCache } from '../cache/event-cache.ts'
import { textList } from './text-list.ts'

/** Gives a query access to the stored data. The caller's abort signal applies to each statement. */
export type Source = {
  select(query: Sql): Promise<Row[]>
  signal: AbortSignal | undefined
  /** Like `select`, for results that depend only on events with a fingerprint. Returns the same rows until these change. */
  selectOfFailures(query: Sql): Promise<readonly Row[]>
  /** Reads the state, including all changes that other replicas had made by the last `Replicas.refresh`. */
  read<T>(work: (state: State) => T): Promise<T>
  /** When the events occurred that the query may read, by service. */
  serviceTimes(): Promise<ServiceTimes>
  /** The events that the query may read: `FROM event WHERE …`, so further conditions start with `AND`. */
  events: Sql
  /** The services whose events the query may read; `null` means all. */
  services: ReadonlySet<string> | null
  cache: EventCache
}

export const allEvents = sql`FROM event WHERE true`

export function eventsOfServices(services: readonly string[]): Sql {
  return services.length === 0
    ? sql`FROM event WHERE false`
    : sql`FROM event WHERE service IN ${textList(services)}`
}

export function inWindow({ fromMs, toMs }: Window): Sql {
  return sql`time_us >= ${microsOf(fromMs)} AND time_us < ${microsOf(toMs)}`
}

/** The number of the bucket that contains an event in the window. */
export function bucketIn({ fromMs }: Window, bucketMs: number): Sql {
  return sql`intDiv(time_us - ${microsOf(fromMs)}, ${microsOf(bucketMs)})`
}
