import type { Query } from '../../../shared/query.ts'
import type { Window } from '../../../shared/range.ts'
import { withoutOwnEvents } from '../../query/own-events.ts'
import type { Counts, FacetValue, HistogramBucket } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import type { View } from './log-view.ts'
import { maxLoadedValues } from './search-values.ts'
import { filteredValues, withoutField } from './terms.ts'

/** The values of an attribute; `window` is the part of the view's window in which they were counted. */
export type AttributeCounts = { values: FacetValue[]; window: Window }

/** The engine parses the attributes of each event. That takes up to 1.5 s of CPU time for this many events. */
export const maxCountedEvents = 500_000

/**
 * Counts the values of the attribute that the visitor chose. If the search includes some of its values, counts as if it did
 * not, like the facets of fields. Counts only the newest events if there are too many.
 * @param counted the histogram of the search, which another query is loading
 */
export async function countAttribute(
  query: Query,
  { attribute: key, window, bucketMs }: View,
  counted: Promise<Pick<Counts, 'histogram'>>,
  store: Pick<Store, 'attributeFacet' | 'histogram'>,
  signal: AbortSignal,
): Promise<AttributeCounts | null> {
  if (key === undefined) return null
  const isChosen = filteredValues(query, key).included.length > 0
  const searched = withoutOwnEvents(isChosen ? withoutField(query, key) : query)
  const histogram = isChosen
    ? await store.histogram({ window, query: searched }, bucketMs, signal)
    : (await counted).histogram
  const newest = newestEvents(histogram, bucketMs, window)
  const filter = { window: newest, query: searched }
  return { values: await store.attributeFacet(filter, key.slice(1), maxLoadedValues, signal), window: newest }
}

/** Returns the end of the window that contains about `maxCountedEvents` events, or the whole window. */
function newestEvents(histogram: readonly HistogramBucket[], bucketMs: number, window: Window): Window {
  let left = maxCountedEvents
  for (const { startMs, counts } of histogram.toReversed()) {
    const events = Object.values(counts).reduce((sum, count) => sum + count, 0)
    if (events > left) {
      const endMs = Math.min(startMs + bucketMs, window.toMs)
      return { ...window, fromMs: Math.ceil(endMs - ((endMs - startMs) * left) / events) }
    }
    left -= events
  }
  return window
}
