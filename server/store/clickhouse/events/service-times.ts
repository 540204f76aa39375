import type { LogEvent } from '../../../../shared/event.ts'
import { type GrowingTimes, growingTimes, type TimesRow } from '../../common/growing-times.ts'
import { number, text, textOrNull } from '../../common/rows.ts'
import { maxTimes, type ServiceTimes } from '../../common/service-times.ts'
import { sql } from '../../common/sql.ts'
import type { Engine } from '../engine/engine.ts'
import { preferProjection } from '../sql/expressions.ts'
import { allEvents } from '../sql/source.ts'

/** Caches the `ServiceTimes` of all stored events until other replicas store events or `clear` is called. */
export function createServiceTimes({
  select,
  newest,
}: Pick<Engine, 'select'> & { newest: Pick<Engine['newest'], 'foreignChanges'> }): {
  read(): Promise<ServiceTimes>
  /** Adds events that this replica has stored, because reading all times again would take longer. */
  add(stored: readonly LogEvent[]): void
  clear(): void
} {
  let cached: { foreignChanges: number; times: Promise<GrowingTimes> } | null = null

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
    const ofSource: TimesRow[] = []
    const ofRelease: TimesRow[] = []
    for (const row of rows) {
      const release = textOrNull(row.release)
      const times = { service: text(row.service), firstUs: number(row.first_us), lastUs: number(row.last_us) }
      if (number(row.is_source) === 1) ofSource.push({ ...times, name: text(row.source) })
      else if (release !== null) ofRelease.push({ ...times, name: release })
    }
    return growingTimes(ofSource, ofRelease)
  }

  return {
    read() {
      const foreignChanges = newest.foreignChanges()
      if (cached?.foreignChanges === foreignChanges) return cached.times
      const reading = { foreignChanges, times: readTimes() }
      cached = reading
      reading.times.catch(() => {
        if (cached === reading) cached = null
      })
      return reading.times
    },
    add(stored) {
      const current = cached
      // A query that is running may have missed the events. If it found them, adding them changes nothing.
      current?.times.then(
        times => {
          if (!stored.every(times.add) && cached === current) cached = null
        },
        () => {},
      )
    },
    clear() {
      cached = null
    },
  }
}
