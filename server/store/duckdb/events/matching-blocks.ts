import type { TimedBlocks } from '../../common/metrics/visit-blocks.ts'
import { needsFingerprint } from '../../common/needs-fingerprint.ts'
import type { Filter } from '../../event-store.ts'
import type { Source } from '../sql/source.ts'
import { countedParts } from './counted-parts.ts'
import { type GroupFilter, groupFilter } from './group-filter.ts'

export type MatchingBlocks = { blocks: TimedBlocks[]; isMatching: GroupFilter }

/**
 * Returns the in-memory events in a window and the filter that selects the matching groups, or `null` if the engine has to
 * find the events.
 * @param bucketUs the length of a bucket. Each count includes events from only one bucket
 */
export async function matchingBlocks(
  source: Source,
  { window, query }: Filter,
  bucketUs: number,
): Promise<MatchingBlocks | null> {
  const isMatching = groupFilter(query, await source.failureIndex())
  if (isMatching === null) return null
  const { blocks, events } = await countedParts(source, window, {
    bucketUs,
    onlyFailures: needsFingerprint(query),
  })
  return events === null ? { blocks, isMatching } : null
}
