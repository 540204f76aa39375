import { setTimeout } from 'node:timers/promises'
import type { BackgroundTask } from '../../../background-task.ts'
import type { Logger } from '../../../logger.ts'
import { name, sql } from '../../common/sql.ts'
import type { Database } from '../engine/database.ts'
import { isOutOfMemory } from '../engine/engine-errors.ts'
import { rollback } from '../engine/rollback.ts'
import { createSegmentTask } from '../engine/segment-task.ts'
import { runStatement } from '../engine/transaction.ts'
import { blockEvents, nextBlock } from './block.ts'
import { type BlockFilter, encodeFilter } from './block-filter.ts'
import { buildFilter } from './build-filter.ts'

/**
 * Builds the missing filters of sealed segments and of full blocks in the active segment. The last block of the active
 * segment has no filter until it is full, because the filter would have to be rebuilt as the block grows. Pauses after each
 * block, so that at least half of the engine's time is left for queries.
 */
export function createFilterTask(
  database: Pick<Database, 'segments' | 'reading' | 'writing'>,
  nowMs: () => number,
  logger: Pick<Logger, 'warn'> | undefined,
  maxBlockEvents = blockEvents,
): BackgroundTask {
  /** Returns `null` if the segment has no further block, or was deleted. */
  const buildNext = (segmentName: string, isActive: boolean, signal: AbortSignal) =>
    database.reading(signal, async source => {
      const segment = source.segments.all().find(each => each.name === segmentName)
      if (segment === undefined) return null
      const filters = await source.searchFilters(segment)
      const lastId = filters.at(-1)?.lastId ?? 0
      const block = await nextBlock(source.query, segment, lastId, isActive, maxBlockEvents)
      return block === null ? null : buildFilter(source.read, segment, block)
    })

  return createSegmentTask({
    database,
    nowMs,
    async prepare(segmentName, isActive, signal) {
      for (;;) {
        const startMs = performance.now()
        const filter = await buildNext(segmentName, isActive, signal)
        if (filter === null) return
        await storeFilter(database, segmentName, filter)
        await setTimeout(performance.now() - startMs, undefined, { signal })
      }
    },
    onError: err => logger?.warn({ err }, 'Failed to build a search filter, so searches are slower'),
  })
}

async function storeFilter(
  database: Pick<Database, 'writing'>,
  segmentName: string,
  filter: BlockFilter,
): Promise<void> {
  await database.writing(async (connection, segments, searchFilters) => {
    if (!segments.some(each => each.name === segmentName)) return
    const insert = sql`INSERT INTO ${name(segmentName)}.search_filter
      VALUES (${filter.afterId}, ${filter.lastId}, ${encodeFilter(filter)})`
    try {
      await runStatement(connection, insert)
    } catch (error) {
      if (isOutOfMemory(error)) await rollback(connection)
      throw error
    }
    searchFilters.refresh(segmentName)
  })
}
