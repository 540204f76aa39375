import { formatCount } from '../../../shared/format.ts'
import type { FacetCounts } from '../../store/event-store.ts'

const maxSearched = 1000
/** The number of values to load for an expanded or filtered facet. One more than are searched, to detect further values. */
export const maxLoadedValues = maxSearched + 1

export type SearchedValues = {
  values: FacetCounts['values']
  /** Whether values without the filter text are hidden. */
  isFiltered: boolean
  /** Whether further values were neither loaded nor searched. */
  isIncomplete: boolean
}

/**
 * Hides the values of a facet that do not contain the filter text, unless the name of the facet contains it.
 * @param loaded the values, most frequent first
 */
export function searchValues(name: string, loaded: FacetCounts['values'], find: string): SearchedValues {
  const values = loaded.slice(0, maxSearched)
  const isFiltered = !contains(name, find)
  return {
    values: isFiltered ? values.filter(({ value }) => contains(value, find)) : values,
    isFiltered,
    isIncomplete: loaded.length > maxSearched,
  }
}

/**
 * Says which values were not searched, and which ones a facet does not list; `null` if there are none.
 * @param count the number of values that could be listed
 * @param limit the number of values that are listed, or `null` if a link lists more
 */
export function noteOnValues(
  { isFiltered, isIncomplete }: Pick<SearchedValues, 'isFiltered' | 'isIncomplete'>,
  count: number,
  limit: number | null,
): string | null {
  const notes: string[] = []
  if (limit !== null && count > limit) {
    const all = isIncomplete ? `more than ${formatCount(maxSearched)}` : formatCount(count)
    const total = isFiltered ? `${formatCount(count)} matching` : all
    notes.push(`The ${limit} most frequent of ${total} values.`)
  }
  if (isFiltered && isIncomplete)
    notes.push(`Only the ${formatCount(maxSearched)} most frequent values were searched.`)
  return notes.length === 0 ? null : notes.join(' ')
}

export function contains(text: string, find: string): boolean {
  return text.toLowerCase().includes(find.toLowerCase())
}
