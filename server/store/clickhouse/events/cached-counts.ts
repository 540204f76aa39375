import type { Severity } from '../../../../shared/severity.ts'
import { emptyBuckets } from '../../common/empty-buckets.ts'
import { mergeCase } from '../../common/merge-case.ts'
import { bucketFinder, bucketsOf } from '../../common/metrics/times.ts'
import { needsFingerprint } from '../../common/needs-fingerprint.ts'
import { name, type Sql, sql } from '../../common/sql.ts'
import type { Counts, FacetField, FacetValue, Filter } from '../../event-store.ts'
import { compile } from '../sql/compile.ts'
import type { Source } from '../sql/source.ts'

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
  // Results that depend on fingerprints are in another cache.
  if (needsFingerprint(query)) return null
  const columns = [...new Set<FacetField>([...(bucketMs === null ? [] : ['severity' as const]), ...fields])]
  const counted = columns.map(field => ({ label: `${field}`, column: name(field), count: sql`sum(events)` }))
  if (isFurther !== null) counted.push({ label: wider, column: sql`any_severity`, count: sql`count()` })
  const buckets = bucketsOf(window, bucketMs)
  const parts = await cache.searchCounts(
    {
      columns: [...columns.map(name), sql`severity AS any_severity`, sql`${isFurther ?? sql`1`} AS events`],
      matching: sql`${events} AND ${await read(state => compile(query, state))}`,
      counted,
    },
    window,
    buckets.bucketUs,
    signal,
  )
  if (parts === null) return null

  const histogram = bucketMs === null ? [] : emptyBuckets(window, bucketMs)
  const bucketAt = bucketFinder(buckets)
  const totals = new Map(counted.map(({ label }) => [label, new Map<string, number>()]))
  for (const { fromUs, counts } of parts) {
    const inBucket = histogram[bucketAt(fromUs)]?.counts
    for (const { label, value, count } of counts) {
      const total = totals.get(label)
      total?.set(value, (total.get(value) ?? 0) + count)
      if (label === 'severity' && inBucket !== undefined && isSeverityIn(inBucket, value))
        inBucket[value] += count
    }
  }
  const valuesOf = (label: string): FacetValue[] =>
    mergeCase(Array.from(totals.get(label) ?? [], ([value, count]) => ({ value, count })))
  return {
    histogram,
    facets: fields.map(field => ({ field, values: valuesOf(field).slice(0, limit) })),
    bySeverity: isFurther === null ? null : valuesOf(wider),
  }
}

function isSeverityIn(counts: Record<Severity, number>, value: string): value is Severity {
  return Object.hasOwn(counts, value)
}
