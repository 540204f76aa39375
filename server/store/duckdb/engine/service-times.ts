import type { LogEvent } from '../../../../shared/event.ts'
import { microsOf } from '../../common/time.ts'
import { number, text, textOrNull } from '../sql/rows.ts'
import { type Sql, sql } from '../sql/sql.ts'
import type { RunQuery } from './connections.ts'
import { createMutex } from './mutex.ts'
import type { RecentEvents } from './recent-events.ts'
import type { Segment } from './segments.ts'

/** When the first and last stored events with these fields occurred. */
export type ServiceTimes = {
  service: string
  release: string | null
  source: string
  firstUs: number
  lastUs: number
}

/** More entries would need too much memory, for example if many services deploy a new release every few minutes. */
const maxRows = 50_000

/**
 * Caches when the first and last events of each service, release and source occurred.
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
}): { read(): Promise<readonly ServiceTimes[]> } {
  const withLock = createMutex()
  let known: { version: string; lastId: number; times: Map<string, ServiceTimes> } | null = null

  const readAll = async (): Promise<Map<string, ServiceTimes>> => {
    // Other pages wait for this query, so it cannot be aborted.
    const rows = await runQuery(sql`
      SELECT service, release, source, min(first_us) AS first_us, max(last_us) AS last_us
      FROM ${await summary()} GROUP BY service, release, source ORDER BY last_us DESC LIMIT ${maxRows}`)
    return new Map(
      rows.map(row => {
        const times = {
          service: text(row.service),
          release: textOrNull(row.release),
          source: text(row.source),
          firstUs: number(row.first_us),
          lastUs: number(row.last_us),
        }
        return [keyOf(times), times]
      }),
    )
  }

  return {
    read: () =>
      withLock(async () => {
        const all = segments()
        const version = JSON.stringify(all.map(({ name, revision }) => [name, revision]))
        const lastId = all.at(-1)?.lastId ?? -1
        const added = known?.version === version ? recentEvents.since(known.lastId) : null
        if (known === null || added === null) known = { version, lastId, times: await readAll() }
        else {
          for (const event of added) addEvent(known.times, event)
          known.lastId = lastId
        }
        return [...known.times.values()]
      }),
  }
}

function keyOf({ service, release, source }: Pick<ServiceTimes, 'service' | 'release' | 'source'>): string {
  return JSON.stringify([service, release, source])
}

function addEvent(times: Map<string, ServiceTimes>, event: LogEvent): void {
  const { service, release, source } = event
  const timeUs = microsOf(event.timeMs)
  const known = times.get(keyOf(event))
  if (known === undefined)
    times.set(keyOf(event), { service, release, source, firstUs: timeUs, lastUs: timeUs })
  else {
    known.firstUs = Math.min(known.firstUs, timeUs)
    known.lastUs = Math.max(known.lastUs, timeUs)
  }
}
