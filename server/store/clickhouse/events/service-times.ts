import { number, text, textOrNull } from '../../common/rows.ts'
import { innerMap, maxTimes, type ServiceTimes } from '../../common/service-times.ts'
import { sql } from '../../common/sql.ts'
import type { Engine } from '../engine/engine.ts'
import { preferProjection } from '../sql/expressions.ts'
import { allEvents } from '../sql/source.ts'

/** Caches the `ServiceTimes` of all stored events until new events are stored or `clear` is called. */
export function createServiceTimes({ select, newest }: Pick<Engine, 'select' | 'newest'>): {
  read(): Promise<ServiceTimes>
  clear(): void
} {
  let cached: { newestIds: string; times: Promise<ServiceTimes> } | null = null

  const readTimes = async () => {
    // Not with the signal of a request, because other requests share the result. `grouping` returns 0 for a column that the
    // row is grouped by.
    const rows = await select(sql`
      SELECT service, source, release, grouping(source) = 0 AS is_source, min(first) AS first_us, max(last) AS last_us
      FROM (
        SELECT service, source, release, min(time_us) AS first, max(time_us) AS last
        ${allEvents} GROUP BY service, source, release ${preferProjection('failures')}
      ) GROUP BY GROUPING SETS ((service, source), (service, release))
      ORDER BY last_us DESC, service, source, release LIMIT ${maxTimes} BY is_source`)
    const sources = new Map<string, Map<string, { firstUs: number; lastUs: number }>>()
    const releases = new Map<string, Map<string, { firstUs: number }>>()
    for (const row of rows) {
      const [service, release] = [text(row.service), textOrNull(row.release)]
      const [firstUs, lastUs] = [number(row.first_us), number(row.last_us)]
      if (number(row.is_source) === 1) innerMap(sources, service).set(text(row.source), { firstUs, lastUs })
      else if (release !== null) innerMap(releases, service).set(release, { firstUs })
    }
    return { sources, releases }
  }

  return {
    read() {
      const newestIds = newest.ids().join()
      if (cached?.newestIds === newestIds) return cached.times
      const reading = { newestIds, times: readTimes() }
      cached = reading
      reading.times.catch(() => {
        if (cached === reading) cached = null
      })
      return reading.times
    },
    clear() {
      cached = null
    },
  }
}
