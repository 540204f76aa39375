import { number, text, textOrNull } from '../../common/rows.ts'
import { innerMap, maxTimes, type ServiceTimes } from '../../common/service-times.ts'
import { sql } from '../../common/sql.ts'
import { maxRefreshMs } from '../engine/connection.ts'
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
    const rows = await select(
      sql`SELECT service, source, release, min(time_us) AS first_us, max(time_us) AS last_us
        ${allEvents} GROUP BY service, source, release
        ORDER BY last_us DESC, service, source, release LIMIT ${maxTimes} ${preferProjection('failures')}`,
      // Not the signal of a request, because other requests share the result.
      AbortSignal.timeout(maxRefreshMs),
    )
    const sources = new Map<string, Map<string, { firstUs: number; lastUs: number }>>()
    const releases = new Map<string, Map<string, { firstUs: number }>>()
    for (const row of rows) {
      const [service, source, release] = [text(row.service), text(row.source), textOrNull(row.release)]
      const [firstUs, lastUs] = [number(row.first_us), number(row.last_us)]
      const ofService = innerMap(sources, service)
      const known = ofService.get(source) ?? { firstUs, lastUs }
      ofService.set(source, {
        firstUs: Math.min(known.firstUs, firstUs),
        lastUs: Math.max(known.lastUs, lastUs),
      })
      if (release === null) continue
      const ofReleases = innerMap(releases, service)
      ofReleases.set(release, { firstUs: Math.min(ofReleases.get(release)?.firstUs ?? firstUs, firstUs) })
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
