import { createMutex } from '../../common/mutex.ts'
import { number, text } from '../../common/rows.ts'
import { innerMap, maxTimes, type ServiceTimes } from '../../common/service-times.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import type { RunQuery } from './connections.ts'
import type { RecentEvents } from './recent-events.ts'
import type { Segment } from './segments.ts'

/**
 * Caches the `ServiceTimes` of all stored events.
 * @param options.summary returns the service summary of all stored events
 */
export function createServiceTimes({
  runQuery,
  summary,
  segments,
  recentEvents,
}: {
  runQuery: RunQuery
  summary: () => Promise<Sql>
  segments: () => readonly Segment[]
  recentEvents: Pick<RecentEvents, 'since'>
}): { read(): Promise<ServiceTimes> } {
  const withLock = createMutex()
  let cached: { version: string; lastId: number; times: GrowingTimes } | null = null

  return {
    read: () =>
      withLock(async () => {
        const all = segments()
        const version = JSON.stringify(all.map(({ name, revision }) => [name, revision]))
        const lastId = all.at(-1)?.lastId ?? -1
        const isExtended =
          cached?.version === version && recentEvents.since(cached.lastId)?.every(cached.times.add) === true
        // Other pages wait for this query, so it cannot be aborted.
        if (cached === null || !isExtended)
          cached = { version, lastId, times: await readTimes(runQuery, await summary()) }
        cached.lastId = lastId
        return cached.times
      }),
  }
}

type GrowingTimes = ServiceTimes & {
  /**
   * Adds an event. Returns `false` if the event needs a new row, but there are already `maxTimes` rows. Older rows may then
   * have been omitted, so the first event may be unknown.
   */
  add(event: { service: string; release: string | null; source: string; timeMs: number }): boolean
}

async function readTimes(runQuery: RunQuery, summary: Sql): Promise<GrowingTimes> {
  const sources = new Map<string, Map<string, { firstUs: number; lastUs: number }>>()
  const releases = new Map<string, Map<string, { firstUs: number }>>()
  const sourceRows = await runQuery(sql`
    SELECT service, source, min(first_us) AS first_us, max(last_us) AS last_us
    FROM ${summary} GROUP BY service, source ORDER BY last_us DESC, service, source LIMIT ${maxTimes}`)
  for (const row of sourceRows) {
    const times = { firstUs: number(row.first_us), lastUs: number(row.last_us) }
    innerMap(sources, text(row.service)).set(text(row.source), times)
  }
  const releaseRows = await runQuery(sql`
    SELECT service, release, min(first_us) AS first_us
    FROM ${summary} WHERE release IS NOT NULL
    GROUP BY service, release ORDER BY first_us DESC, service, release LIMIT ${maxTimes}`)
  for (const row of releaseRows) {
    innerMap(releases, text(row.service)).set(text(row.release), { firstUs: number(row.first_us) })
  }
  let freeRows = maxTimes - Math.max(sourceRows.length, releaseRows.length)

  return {
    sources,
    releases,
    add({ service, release, source, timeMs }) {
      const timeUs = microsOf(timeMs)
      const ofSource = sources.get(service)?.get(source)
      const ofRelease = release === null ? null : releases.get(service)?.get(release)
      if (ofSource === undefined || ofRelease === undefined) freeRows -= 1
      if (freeRows < 0) return false
      if (ofSource === undefined) innerMap(sources, service).set(source, { firstUs: timeUs, lastUs: timeUs })
      else {
        ofSource.firstUs = Math.min(ofSource.firstUs, timeUs)
        ofSource.lastUs = Math.max(ofSource.lastUs, timeUs)
      }
      if (release === null) return true
      if (ofRelease === undefined) innerMap(releases, service).set(release, { firstUs: timeUs })
      else if (ofRelease !== null) ofRelease.firstUs = Math.min(ofRelease.firstUs, timeUs)
      return true
    },
  }
}
