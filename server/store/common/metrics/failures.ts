import type { FailureRow } from '../../../../shared/failure.ts'
import type { Window } from '../../../../shared/range.ts'
import { bucketCount } from '../../buckets.ts'
import type { FailureCounts, FailureList, FailureQuery } from '../../failure-store.ts'
import { compareText } from '../compare-text.ts'
import { countByState, listFailures } from '../failure-list.ts'
import { maxServices } from '../list-limits.ts'
import { countOccurrences, noOccurrences, type Occurrences } from './count-occurrences.ts'
import type { EventReader } from './event-reader.ts'
import type { FailureIndex } from './failure-index.ts'

type CountReader = Pick<EventReader, 'failureIndex' | 'visitEvents'>

export type FailureReader = CountReader & {
  /**
   * Returns the rows of failures, by failure id. Omits failures without stored events. All ids come from the index, because
   * failures may be merged while the query runs.
   * @param options.cutsMessages whether messages may be shortened as `cut` does
   */
  describe(
    index: FailureIndex,
    occurrences: readonly Occurrences[],
    options: { cutsMessages: boolean },
  ): Promise<Map<string, FailureRow>>
}

/** See `FailureStore`. */
export async function failures(reader: FailureReader, query: FailureQuery): Promise<FailureList> {
  const { window, bucketMs, service } = query
  const index = await reader.failureIndex()
  const services = new Set<string>()
  const occurrences = await countOccurrences(reader, index, { window, bucketMs }, group => {
    if (services.size < maxServices) services.add(group.service)
    return service === null || group.service === service
  })
  const found = Array.from(occurrences.values(), each => ({
    ...each,
    state: index.stateOf(each.id),
    newestMs: each.newestUs / 1000,
  }))
  // A search for text needs the whole messages.
  const cutsMessages = query.text === null
  return {
    ...(await listFailures(found, query, listed => reader.describe(index, listed, { cutsMessages }))),
    services: [...services].sort(compareText),
  }
}

/** See `FailureStore`. */
export async function failure(
  reader: FailureReader,
  idOrFingerprint: string,
  { window, bucketMs }: { window: Window; bucketMs: number },
): Promise<FailureRow | null> {
  const index = await reader.failureIndex()
  const id = index.failureIdOf(idOrFingerprint)
  const isOfFailure = ({ fingerprint }: { fingerprint: string }) => index.failureIdOf(fingerprint) === id
  const found = await countOccurrences(reader, index, { window, bucketMs }, isOfFailure)
  const occurrences = found.get(id) ?? noOccurrences(id, bucketCount(window, bucketMs))
  return (await reader.describe(index, [occurrences], { cutsMessages: false })).get(id) ?? null
}

/** See `FailureStore`. */
export async function failureCounts(reader: CountReader, window: Window): Promise<FailureCounts> {
  const index = await reader.failureIndex()
  const bucketMs = Math.max(window.toMs - window.fromMs, 1)
  const found = await countOccurrences(reader, index, { window, bucketMs }, () => true)
  return countByState(Array.from(found.values(), ({ id, count }) => ({ state: index.stateOf(id), count })))
}
