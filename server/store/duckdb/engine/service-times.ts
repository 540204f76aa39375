import { type GrowingTimes, growingTimes, type TimesRow } from '../../common/growing-times.ts'
import { createMutex } from '../../common/mutex.ts'
import { number, type Row, text } from '../../common/rows.ts'
import { maxTimes, type ServiceTimes } from '../../common/service-times.ts'
import { type Sql, sql } from '../../common/sql.ts'
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

async function readTimes(runQuery: RunQuery, summary: Sql): Promise<GrowingTimes> {
  const sourceRows = await runQuery(sql`
    SELECT service, source AS name, min(first_us) AS first_us, max(last_us) AS last_us
    FROM ${summary} GROUP BY service, source ORDER BY last_us DESC, service, source LIMIT ${maxTimes}`)
  const releaseRows = await runQuery(sql`
    SELECT service, release AS name, min(first_us) AS first_us, max(last_us) AS last_us
    FROM ${summary} WHERE release IS NOT NULL
    GROUP BY service, release ORDER BY first_us DESC, service, release LIMIT ${maxTimes}`)
  return growingTimes(sourceRows.map(readRow), releaseRows.map(readRow))
}

function readRow(row: Row): TimesRow {
  const { service, name, first_us, last_us } = row
  return { service: text(service), name: text(name), firstUs: number(first_us), lastUs: number(last_us) }
}
