import { createHash, randomUUID } from 'node:crypto'
import type { LogEvent } from '../../../shared/event.ts'
import { hourOfId, type IdRange, idsPerHour } from '../common/accepted-hour.ts'
import { increasingIds, planImport } from '../common/import-plan.ts'
import { number, textOrNull } from '../common/rows.ts'
import { type Sql, sql } from '../common/sql.ts'
import { sharedStateOf } from '../state/token-uses.ts'
import type { TransferStore } from '../transfer-store.ts'
import type { Engine } from './engine/engine.ts'
import { storedColumns, storedRow, wholeEvent } from './sql/event-rows.ts'

/** @param onImport called after events have been imported */
export function transfer(engine: Engine, onImport: () => void): TransferStore {
  const { select, insert, change, layout, access, ids } = engine
  /** The fingerprints of the stored events, by id. */
  const storedIn = async (range: IdRange) => {
    const rows = await select(sql`SELECT id, fingerprint FROM event WHERE ${inRange(range)}`)
    return new Map(rows.map(row => [number(row.id), textOrNull(row.fingerprint)]))
  }
  return {
    async acceptedHours(signal) {
      const rows = await select(
        sql`SELECT intDiv(id, ${idsPerHour}) AS hour, count() AS events FROM event GROUP BY hour ORDER BY hour`,
        signal,
      )
      return rows.map(row => ({
        startMs: hourOfId(number(row.hour) * idsPerHour),
        events: number(row.events),
      }))
    },
    async pageEnds(range, size, signal) {
      const rows = await select(
        sql`SELECT id FROM (
            SELECT id, row_number() OVER (ORDER BY id) AS number FROM event WHERE ${inRange(range)}
          ) WHERE number % ${size} = 0 ORDER BY id`,
        signal,
      )
      return rows.map(row => number(row.id))
    },
    async eventsInIds(range, signal) {
      const rows = await select(
        sql`SELECT ${wholeEvent.columns} FROM event WHERE ${inRange(range)} ORDER BY id`,
        signal,
      )
      return rows.map(wholeEvent.read)
    },
    async importEvents(events) {
      const range = increasingIds(events)
      if (events.length === 0) return { stored: 0, regrouped: 0 }
      const imported = await engine.append(
        async () => {
          const { missing, regrouped } = planImport(events, await storedIn(range))
          if (regrouped.length > 0) await change(changeFingerprints(layout, regrouped))
          if (missing.length > 0) {
            const rows = rowsOf(missing)
            await insert('event', storedColumns, rows, `import ${digestOf(rows)}`)
            // ClickHouse also ignores the insert if retention has deleted these rows since an earlier import.
            const ignored = planImport(missing, await storedIn(range)).missing
            if (ignored.length > 0)
              await insert('event', storedColumns, rowsOf(ignored), `import ${randomUUID()}`)
          }
          ids.observe(range.upToId)
          return { stored: missing.length, regrouped: regrouped.length }
        },
        () => range.upToId,
      )
      onImport()
      return imported
    },
    sharedState: sharedStateOf(access),
  }
}

function rowsOf(events: readonly LogEvent[]): unknown[][] {
  return events.map(event => storedRow(event, []))
}

function inRange({ afterId, upToId }: IdRange): Sql {
  return sql`id > ${afterId} AND id <= ${upToId}`
}

function changeFingerprints({ storedEvents, on }: Engine['layout'], events: readonly LogEvent[]): Sql {
  const ids = sql`JSONExtract(${JSON.stringify(events.map(({ id }) => id))}, 'Array(Int64)')`
  const fingerprints = events.map(({ fingerprint }) => fingerprint)
  return sql`
    ALTER TABLE ${storedEvents} ${on}
    UPDATE fingerprint = JSONExtract(${JSON.stringify(fingerprints)}, 'Array(Nullable(String))')[indexOf(${ids}, id)]
    WHERE id IN ${ids}`
}

/** Identifies an insert by its rows, so that ClickHouse ignores it if a killed process has already stored them. */
function digestOf(rows: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex')
}
