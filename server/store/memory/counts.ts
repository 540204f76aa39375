import type { LogEvent } from '../../../shared/event.ts'
import { severities } from '../../../shared/severity.ts'
import { attributeText } from '../common/attribute-text.ts'
import { facetsOf, histogramOf } from '../common/count-rows.ts'
import { cut } from '../common/cut.ts'
import { mergeCase } from '../common/merge-case.ts'
import { toNumber } from '../common/to-number.ts'
import type {
  EventStore,
  FacetCounts,
  FacetField,
  FacetValue,
  Filter,
  HistogramBucket,
} from '../event-store.ts'
import { byBucket } from './buckets.ts'
import type { Memory, Run } from './memory.ts'
import { matchingEvents } from './select-events.ts'

export function memoryCounts(
  memory: Memory,
  run: Run,
): Pick<EventStore, 'histogram' | 'facets' | 'attributeFacet' | 'counts' | 'attributeSeries'> {
  const histogram = (filter: Filter, bucketMs: number): HistogramBucket[] =>
    histogramOf(matchingEvents(memory, filter), filter.window, bucketMs)

  const facets = (filter: Filter, fields: readonly FacetField[], limit: number): FacetCounts[] =>
    facetsOf(matchingEvents(memory, filter), fields, limit)

  return {
    histogram: (filter, bucketMs, signal) => run(signal, () => histogram(filter, bucketMs)),
    facets: (filter, fields, limit, signal) => run(signal, () => facets(filter, fields, limit)),
    attributeFacet: (filter, path, limit, signal) =>
      run(signal, () => attributeValues(matchingEvents(memory, filter), path).slice(0, limit)),
    counts: (filter, bucketMs, fields, limit, signal) =>
      run(signal, () => ({
        histogram: histogram(filter, bucketMs),
        facets: facets(filter, fields, limit),
        bySeverity:
          filter.wider === undefined
            ? null
            : (facets({ window: filter.window, query: filter.wider }, ['severity'], severities.length)[0]
                ?.values ?? []),
      })),
    attributeSeries: (filter, series, bucketMs, signal) =>
      run(signal, () => {
        const buckets = byBucket(matchingEvents(memory, filter), filter.window, bucketMs)
        return series.map(({ path, aggregate }) =>
          buckets.map(({ events }) => {
            const numbers = events.map(event => toNumber(attributeText(event, path) ?? '')).filter(isNumber)
            if (numbers.length === 0) return null
            if (aggregate === 'highest') return Math.max(...numbers)
            return aggregate === 'sum' ? sum(numbers) : sum(numbers) / numbers.length
          }),
        )
      }),
  }
}

function attributeValues(events: readonly LogEvent[], path: string): FacetValue[] {
  const texts = events.map(event => attributeText(event, path)).filter(text => text !== null)
  return mergeCase(texts.map(text => ({ value: cut(text), count: 1 })))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function isNumber(value: number | null): value is number {
  return value !== null
}
