import { type Severity, severities } from '../../../../shared/severity.ts'
import { createTimeSlice } from '../../../time-slice.ts'
import { emptyBuckets } from '../../common/empty-buckets.ts'
import { mergeCase } from '../../common/merge-case.ts'
import { bucketFinder, bucketsOf } from '../../common/metrics/times.ts'
import { needsFingerprint } from '../../common/needs-fingerprint.ts'
import { name, type Sql, sql } from '../../common/sql.ts'
import type { Counts, FacetField, FacetValue, Filter } from '../../event-store.ts'
import type { CountedValue } from '../cache/search-count-grains.ts'
import { compile } from '../sql/compile.ts'
import { needsText } from '../sql/further-conditions.ts'
import type { Source } from '../sql/source.ts'
import { countedColumns, countedFields } from './counted-columns.ts'

/** The label of the severities of a wider search. */
const wider = 'wider'

/**
 * Counts the events of a search from the cache; see `Counts`. Returns `null` if they cannot be cached.
 * @param bucketMs `null` omits the histogram
 * @param isFurther 1 if an event meets the conditions that the wider search lacks, and otherwise 0; `null` omits
 *   `bySeverity`
 */
export async function cachedCounts(
  { cache, read, signal, events }: Source,
  { window, query }: Filter,
  bucketMs: number | null,
  fields: readonly FacetField[],
  limit: number,
  isFurther: Sql | null,
): Promise<Counts | null> {
  // Other searches are fast, and results that depend on fingerprints are in another cache.
  if (!needsText(query) || needsFingerprint(query)) return null
  const columns = countedFields(bucketMs, fields)
  const counted = columns.map(field => ({ label: `${field}`, column: name(field), count: sql`sum(events)` }))
  if (isFurther !== null) counted.push({ label: wider, column: sql`any_severity`, count: sql`count()` })
  const buckets = bucketsOf(window, bucketMs)
  const found = await cache.searchCounts(
    {
      columns: countedColumns(columns, isFurther),
      matching: sql`${events} AND ${await read(state => compile(query, state))}`,
      counted,
    },
    window,
    buckets.bucketUs,
    signal,
  )
  if (found === null) return null

  const histogram = bucketMs === null ? [] : emptyBuckets(window, bucketMs)
  const bucketAt = bucketFinder(buckets)
  const severityOf = found.values.map(severityIn)
  const slice = createTimeSlice()
  const totals = new Float64Array(found.values.length)
  for (const { fromUs, values, counts } of found.parts) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    const inBucket = histogram[bucketAt(fromUs)]?.counts
    for (const [index, value] of values.entries()) {
      const count = counts[index] ?? 0
      totals[value] = (totals[value] ?? 0) + count
      const severity = severityOf[value]
      if (inBucket !== undefined && severity !== undefined) inBucket[severity] += count
    }
  }
  const valuesOf = (label: string): FacetValue[] =>
    mergeCase(
      found.values.flatMap((each, index) => {
        const count = totals[index] ?? 0
        return each.label === label && count > 0 ? { value: each.value, count } : []
      }),
      text => text.toLowerCase(),
    )
  return {
    histogram,
    facets: fields.map(field => ({ field, values: valuesOf(field).slice(0, limit) })),
    bySeverity: isFurther === null ? null : valuesOf(wider),
  }
}

function severityIn({ label, value }: CountedValue): Severity | undefined {
  return label === 'severity' ? severities.find(each => each === value) : undefined
}
