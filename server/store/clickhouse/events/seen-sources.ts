import type { EventSource } from '../../../../shared/event.ts'
import { number, text } from '../../common/rows.ts'
import { selectsService } from '../../common/selects-service.ts'
import { sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import type { RequestFilter } from '../../event-store.ts'
import { maxRefreshMs } from '../engine/connection.ts'
import type { Engine } from '../engine/engine.ts'
import { preferProjection } from '../sql/expressions.ts'
import { allEvents } from '../sql/source.ts'

export type SeenSources = {
  /** Whether events from these sources may be in the window. False means that there are none. Also true if this is unknown. */
  mayBeIn(filter: RequestFilter, sources: readonly EventSource[]): Promise<boolean>
}

type SeenSource = { service: string; source: string; lastUs: number }

/**
 * Reads when each service last sent an event from each source. Queries use this to skip sources that have sent nothing, such
 * as browsers. The result is cached until new events are stored.
 */
export function createSeenSources({ select, newest }: Pick<Engine, 'select' | 'newest'>): SeenSources {
  let cached: { newestIds: string; seen: Promise<SeenSource[]> } | null = null

  const read = async () => {
    const rows = await select(
      sql`SELECT service, source, max(time_us) AS last_us ${allEvents} GROUP BY service, source ${preferProjection('failures')}`,
      // Not the signal of a request, because other requests share the result.
      AbortSignal.timeout(maxRefreshMs),
    )
    return rows.map(row => ({
      service: text(row.service),
      source: text(row.source),
      lastUs: number(row.last_us),
    }))
  }

  const seen = () => {
    const newestIds = newest.ids().join()
    if (cached?.newestIds === newestIds) return cached.seen
    const reading = { newestIds, seen: read() }
    cached = reading
    reading.seen.catch(() => {
      if (cached === reading) cached = null
    })
    return reading.seen
  }

  return {
    async mayBeIn(filter, sources) {
      const names = new Set<string>(sources)
      const fromUs = microsOf(filter.window.fromMs)
      // If this query fails, the caller's own query may still succeed.
      const known = await seen().catch(() => null)
      const isMatch = ({ service, source, lastUs }: SeenSource) =>
        names.has(source) && lastUs >= fromUs && selectsService(filter, service)
      return known === null || known.some(isMatch)
    },
  }
}
