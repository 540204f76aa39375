import type { LogEvent } from '../../../../shared/event.ts'
import { number } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import type { Engine } from '../engine/engine.ts'
import { preferProjection } from '../sql/expressions.ts'
import { eventBytes } from './partitions.ts'

/** `oldestUs` is the time of the oldest event; `Infinity` if there are no events. */
export type Totals = { events: number; oldestUs: number; diskBytes: number }

/** The disk space may be outdated by this time. */
const maxAgeMs = 10_000

/** Caches the totals of all stored events until other replicas store events or `clear` is called. */
export function createTotals(
  engine: Pick<Engine, 'select' | 'layout'> & { newest: Pick<Engine['newest'], 'foreignChanges'> },
) {
  let cached: (Totals & { foreignChanges: number; readMs: number }) | null = null
  let changes = 0
  let appends = 0

  return {
    async read(): Promise<Totals> {
      const [foreignChanges, readMs] = [engine.newest.foreignChanges(), performance.now()]
      if (cached?.foreignChanges === foreignChanges && readMs - cached.readMs < maxAgeMs) return cached
      const changesBefore = changes
      const [[row], diskBytes] = await Promise.all([
        engine.select(
          sql`SELECT count() AS events, min(time_us) AS oldest_us FROM event ${preferProjection('failures')}`,
        ),
        eventBytes(engine),
      ])
      const events = number(row?.events)
      const oldestUs = events === 0 ? Number.POSITIVE_INFINITY : number(row?.oldest_us)
      const totals = { events, oldestUs, diskBytes }
      // If events were stored during the query, it may or may not have counted them.
      if (changes === changesBefore && appends === 0) cached = { ...totals, foreignChanges, readMs }
      return totals
    },
    /** Adds the events that `store` stores. */
    async addStored(store: () => Promise<LogEvent[]>): Promise<LogEvent[]> {
      changes += 1
      appends += 1
      try {
        const stored = await store()
        if (cached !== null) {
          const oldestUs = stored.reduce(
            (oldest, { timeMs }) => Math.min(oldest, microsOf(timeMs)),
            cached.oldestUs,
          )
          cached = { ...cached, events: cached.events + stored.length, oldestUs }
        }
        return stored
      } catch (error) {
        // The events may have been stored.
        cached = null
        throw error
      } finally {
        appends -= 1
      }
    },
    clear(): void {
      changes += 1
      cached = null
    },
  }
}
