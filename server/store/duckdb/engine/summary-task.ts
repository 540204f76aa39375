import { setTimeout } from 'node:timers/promises'
import type { BackgroundTask } from '../../../background-task.ts'
import type { Logger } from '../../../logger.ts'
import type { Source } from '../sql/source.ts'
import { blockStarts, eventsOfBlocks, maxBlocks } from './block-query.ts'
import type { Database } from './database.ts'
import { noGroups } from './event-block.ts'
import { packCounts } from './pack-counts.ts'
import { packRequests } from './pack-requests.ts'
import { readCountedChunks } from './read-event-chunks.ts'
import { emptyPart, extendPart } from './request-part.ts'
import { createSegmentTask } from './segment-task.ts'
import type { Segment } from './segments.ts'
import { type SummaryKind, storeSummaries } from './stored-summaries.ts'

/** Reading the events of a smaller segment is quick enough. */
const defaultMinEvents = 100_000

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
      return segment.events < minEvents ? null : summariesOf(source, segment)
    })

  const store = (segmentName: string, summaries: Readonly<Record<SummaryKind, Uint8Array>>) =>
    database.writing(async (connection, segments) => {
      const segment = segments.find(({ name }) => name === segmentName)
      if (segment !== undefined && !isChanged(segment)) await storeSummaries(connection, segment, summaries)
    })

  return createSegmentTask({
    database,
    nowMs,
    async prepare(segmentName, isActive, signal) {
      if (isActive) return
      const startMs = performance.now()
      const summaries = await summarise(segmentName, signal)
      if (summaries === null) return
      await store(segmentName, summaries)
      await setTimeout(performance.now() - startMs, undefined, { signal })
    },
    onError: err =>
      logger?.warn({ err }, 'Failed to summarise events, so dashboards are slower after a restart'),
  })
}

/** Whether events were changed, deleted or imported since the start. */
function isChanged({ revision }: Segment): boolean {
  return revision > 0
}

/** Returns `null` if there are too many services, groups, counts or half-hours. */
async function summariesOf(
  { read }: Source,
  segment: Segment,
): Promise<Record<SummaryKind, Uint8Array> | null> {
  const starts = blockStarts(segment, [{ fromUs: segment.fromUs, toUs: segment.toUs + 1 }])
  if (starts.length > maxBlocks) return null
  const groups = noGroups()
  const ids = { afterId: -1, upToId: segment.lastId }
  const counts = await readCountedChunks(read, eventsOfBlocks(segment, ids, starts, false), groups)
  if (counts === null) return null
  const { grouping, cells } = await extendPart(read, emptyPart, segment)
  if (grouping === null) return null
  return { requests: await packRequests({ grouping, cells }), event_counts: await packCounts(groups, counts) }
}
