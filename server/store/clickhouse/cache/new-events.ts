import type { LogEvent } from '../../../../shared/event.ts'
import { createTimeSlice } from '../../../time-slice.ts'
import { grainUs, type TimesUs } from '../../common/metrics/times.ts'
import { createMutex } from '../../common/mutex.ts'
import { list, number, text } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { Engine } from '../engine/engine.ts'
import { between, replicaOf } from '../sql/positions.ts'
import {
  type CachedEvent,
  cachedEvent,
  groupColumns,
  groupKeys,
  readBins,
  readGroup,
} from './cached-event.ts'

/** With more new events, only their times are read. */
const maxRead = 20_000
/** How many events to add before checking the time. */
const eventsPerSlice = 1000
/** If the events are in more half-hours, everything is read again. */
const maxPeriods = 5000
/** Larger batches are read from ClickHouse when they are needed, so that ingest at full speed does no extra work. */
const maxAdded = 100

type Listener = {
  /** Called once for each new event. */
  onEvents(events: readonly CachedEvent[]): void
  /** Called instead if there are too many new events, with the half-hours that contain them. */
  onPeriods(periods: readonly TimesUs[]): void
  /** Called if stored events have been changed or deleted, or if nothing is known about new events. */
  onChange(): void
}

/** Follows the events that replicas store. */
export function createNewEvents(
  {
    select,
    newest,
    readCached,
  }: Pick<Engine, 'select' | 'readCached'> & { newest: Pick<Engine['newest'], 'ids' | 'ensureCurrent'> },
  { onEvents, onPeriods, onChange }: Listener,
) {
  /** The newest id of each replica that has been processed. */
  const processed = new Map<number, number>()
  const setProcessed = (ids: readonly number[]) => {
    for (const id of ids) processed.set(replicaOf(id), Math.max(processed.get(replicaOf(id)) ?? 0, id))
  }
  setProcessed(newest.ids())
  const withLock = createMutex()
  let changes: string | undefined
  /** Whether events before the next batch may not have been processed. */
  let isBehind = false
  /** The number that this replica used for its last batch. It may have belonged to another replica before. */
  let ownNumber: number | null = null
  /** Batches that this replica stored during the current read. */
  let waiting: (readonly LogEvent[])[] | null = null
  /** The next read, which has not started yet. Calls at the same time share it. */
  let nextRead: Promise<void> | null = null

  const addOwn = (stored: readonly LogEvent[]) => {
    const last = stored.at(-1)
    if (last === undefined) return
    const replica = replicaOf(last.id)
    const isNewNumber = replica !== ownNumber
    ownNumber = replica
    if (last.id <= (processed.get(replica) ?? 0)) return
    isBehind ||= isNewNumber || stored.length > maxAdded
    if (isBehind) return
    setProcessed([last.id])
    onEvents(stored.map(cachedEvent))
  }

  const addInSlices = async (events: readonly CachedEvent[]) => {
    const slice = createTimeSlice()
    for (let index = 0; index < events.length; index += eventsPerSlice) {
      if (slice.isUsedUp()) await slice.yieldToOthers()
      onEvents(events.slice(index, index + eventsPerSlice))
    }
  }

  const readNewer = async () => {
    const upTo = newest.ids()
    const unread = between([...processed.values()], upTo)
    if (unread === null) return
    waiting = []
    isBehind = false
    try {
      const events = await readEvents(select, unread)
      const periods = events === null ? await readPeriods(select, unread) : []
      if (events !== null) await addInSlices(events)
      else if (periods === null) onChange()
      else onPeriods(periods)
      setProcessed(upTo)
    } catch (error) {
      isBehind = true
      throw error
    } finally {
      const stored = waiting
      waiting = null
      for (const batch of stored) addOwn(batch)
    }
  }

  return {
    /** Processes all events that were stored before the last refresh, and those that this replica has stored. */
    read(): Promise<void> {
      nextRead ??= withLock(async () => {
        nextRead = null
        await newest.ensureCurrent()
        const current = await readCached(({ eventChanges }) => eventChanges.get('newest'))
        if (current !== changes) {
          changes = current
          onChange()
        }
        await readNewer()
      })
      return nextRead
    },
    /** See `EventCache`. */
    add(stored: readonly LogEvent[]): void {
      if (waiting === null) addOwn(stored)
      else waiting.push(stored)
    },
    /** Call this if a batch may have been stored although storing it failed. */
    addUnknown(): void {
      isBehind = true
    },
  }
}

/** Returns `null` if there are more than `maxRead` events. */
async function readEvents(select: Engine['select'], unread: Sql): Promise<CachedEvent[] | null> {
  const rows = await select(sql`
    SELECT ${groupKeys}, groupArray(id) AS ids, groupArray(time_us) AS times, groupArray(duration_bin) AS bins,
      groupUniqArrayArray(keys) AS attribute_keys
    FROM (
      SELECT id, time_us, duration_bin, JSONExtractKeys(attributes) AS keys, ${groupColumns}
      FROM event WHERE ${unread} LIMIT ${maxRead + 1}
    ) GROUP BY ${groupKeys}`)
  const events = rows.flatMap(row => {
    const group = readGroup(row)
    const [times, bins] = [list(row.times, number), readBins(row)]
    const attributeKeys = list(row.attribute_keys, text)
    return list(row.ids, number).map(
      (id, index): CachedEvent => ({
        id,
        timeUs: times[index] ?? 0,
        bin: bins[index] ?? 0,
        group,
        attributeKeys,
      }),
    )
  })
  return events.length > maxRead ? null : events
}

/** Returns the half-hours of new events, or `null` if there are more than `maxPeriods`. */
async function readPeriods(select: Engine['select'], unread: Sql): Promise<TimesUs[] | null> {
  const rows = await select(
    sql`SELECT DISTINCT intDiv(time_us, ${grainUs}) AS grain FROM event WHERE ${unread} LIMIT ${maxPeriods + 1}`,
  )
  if (rows.length > maxPeriods) return null
  return rows.map(row => ({
    fromUs: number(row.grain) * grainUs,
    toUs: (number(row.grain) + 1) * grainUs,
  }))
}
