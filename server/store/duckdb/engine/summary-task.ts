import { setTimeout } from 'node:timers/promises'
import type { BackgroundTask } from '../../../background-task.ts'
import type { Logger } from '../../../logger.ts'
import { slow, sql } from '../../common/sql.ts'
import { eventsOf, type Source } from '../sql/source.ts'
import { allBlockStarts, eventsOfBlocks, maxBlocks } from './block-query.ts'
import type { Database } from './database.ts'
import { createEventGroups } from './event-groups.ts'
import { packCounts } from './pack-counts.ts'
import { packRequests } from './pack-requests.ts'
import { readCountedChunks } from './read-event-chunks.ts'
import { emptyPart, extendPart } from './request-part.ts'
import { createSegmentTask } from './segment-task.ts'
import type { Segment } from './segments.ts'
import { type SummaryKind, storeSummaries } from './stored-summaries.ts'
import { summariseServices } from './summaries.ts'

/** Reading the events of a smaller segment is quick enough. */
const defaultMinEvents = 100_000

/** The service summary is computed in this table and then copied to the segment, because appends wait during the write. */
const services = sql`memory.main.unstored_service_summary`

/**
 * Stores summaries of the events in sealed segments. A segment whose events have changed is summarised again only after the
 * next start, because retention may delete events of the oldest segment every hour.
 */
export function createSummaryTask(
  database: Pick<Database, 'segments' | 'reading' | 'writing'>,
  nowMs: () => number,
  logger: Pick<Logger, 'warn'> | undefined,
  minEvents = defaultMinEvents,
): BackgroundTask {
  const summarise = (segmentName: string, signal: AbortSignal) =>
    database.reading(signal, async source => {
      const segment = source.segments.all().find(({ name }) => name === segmentName)
      if (segment === undefined || segment.hasSummaries || isChanged(segment)) return null
      if (segment.events < minEvents) return null
      return { segment, summaries: await summariesOf(source, segment) }
    })

  const store = (segment: Segment, summaries: Readonly<Record<SummaryKind, Uint8Array>>) =>
    database.writing(async (connection, segments) => {
      // Reopening the store replaces the segment's object, and the events may have changed before the store was reopened.
      const isCurrent = segments.includes(segment) && !isChanged(segment)
      if (isCurrent) await storeSummaries(connection, segment, summaries, services)
    })

  return createSegmentTask({
    database,
    nowMs,
    async prepare(segmentName, isActive, signal) {
      if (isActive) return
      const startMs = performance.now()
      const summarised = await summarise(segmentName, signal)
      if (summarised === null) return
      await store(summarised.segment, summarised.summaries)
      await database.reading(undefined, ({ query }) => query(sql`DROP TABLE IF EXISTS ${services}`))
      await setTimeout(performance.now() - startMs, undefined, { signal })
    },
    onError: err =>
      logger?.warn({ err }, 'Failed to summarise events, so dashboards are slower after a restart'),
  })
}

/** Whether events were changed, deleted or imported since the store was opened. */
function isChanged({ revision }: Segment): boolean {
  return revision > 0
}

async function summariesOf(source: Source, segment: Segment): Promise<Record<SummaryKind, Uint8Array>> {
  const rows = summariseServices(eventsOf([segment]))
  await source.query(slow(sql`CREATE OR REPLACE TABLE ${services} AS ${rows}`))
  return {
    requests: await requestsOf(source, segment),
    event_counts: await eventCountsOf(source, segment),
  }
}

/** Returns an empty array if there are too many services. */
async function requestsOf({ read }: Source, segment: Segment): Promise<Uint8Array> {
  const { grouping, cells } = await extendPart(read, emptyPart, segment)
  return grouping === null ? new Uint8Array() : packRequests({ grouping, cells })
}

/** Returns an empty array if there are too many half-hours, groups or counts. */
async function eventCountsOf({ read }: Source, segment: Segment): Promise<Uint8Array> {
  const starts = allBlockStarts(segment)
  if (starts.length > maxBlocks) return new Uint8Array()
  const groups = createEventGroups()
  const ids = { afterId: -1, upToId: segment.lastId }
  const counts = await readCountedChunks(read, eventsOfBlocks(segment, ids, starts, false), groups)
  return counts === null ? new Uint8Array() : packCounts(groups, counts)
}
