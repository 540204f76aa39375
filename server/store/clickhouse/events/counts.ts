import type { Query } from '../../../../shared/query.ts'
import type { Window } from '../../../../shared/range.ts'
import { severities } from '../../../../shared/severity.ts'
import { bucketCount } from '../../buckets.ts'
import { compareValues } from '../../common/compare-values.ts'
import { countBySeverity } from '../../common/count-by-severity.ts'
import { maxRowLength } from '../../common/cut.ts'
import { emptyBuckets } from '../../common/empty-buckets.ts'
import { facetValues } from '../../common/facet-values.ts'
import { isGroupedQuery } from '../../common/grouped-query.ts'
import { createSeriesTotals } from '../../common/metrics/attribute-series.ts'
import { bucketFinder, bucketsOf, timesOf } from '../../common/metrics/times.ts'
import { needsFingerprint } from '../../common/needs-fingerprint.ts'
import { list, number, numberOrNull, text } from '../../common/rows.ts'
import { join, name, type Sql, sql } from '../../common/sql.ts'
import type {
  AttributeSeries,
  CountFilter,
  Counts,
  FacetCounts,
  FacetField,
  FacetValue,
  Filter,
  HistogramBucket,
} from '../../event-store.ts'
import type { SampleGrain } from '../cache/sample-grains.ts'
import { attributeNumber, attributeText, ofAttribute } from '../sql/attribute.ts'
import { compile } from '../sql/compile.ts'
import { eventGroups } from '../sql/event-groups.ts'
import { furtherConditions } from '../sql/further-conditions.ts'
import { bucketIn, inWindow, type Source } from '../sql/source.ts'
import { cachedCounts } from './cached-counts.ts'
import { countedColumns, countedFields } from './counted-columns.ts'

/** Matching events: `FROM … WHERE …`. */
async function matching({ read, events }: Source, { window, query }: Filter): Promise<Sql> {
  const condition = await read(state => compile(query, state))
  return sql`${events} AND ${inWindow(window)} AND ${condition}`
}

export async function histogram(
  source: Source,
  filter: Filter,
  bucketMs: number,
): Promise<HistogramBucket[]> {
  return (await countTogether(source, filter, bucketMs, [], 0)).histogram
}

export async function facets(
  source: Source,
  filter: Filter,
  fields: readonly FacetField[],
  limit: number,
): Promise<FacetCounts[]> {
  return fields.length === 0 ? [] : (await countTogether(source, filter, null, fields, limit)).facets
}

/** See `EventStore`. If evaluating the wider search is slow, its events are read only once for both searches. */
export async function counts(
  source: Source,
  { wider, ...filter }: CountFilter,
  bucketMs: number,
  fields: readonly FacetField[],
  limit: number,
): Promise<Counts> {
  const further = wider === undefined ? null : furtherConditions(filter.query, wider)
  if (wider !== undefined && further !== null)
    return countTogether(source, { ...filter, query: wider }, bucketMs, fields, limit, further)
  const [matching, bySeverity] = await Promise.all([
    countTogether(source, filter, bucketMs, fields, limit),
    countBySeverity(filter.window, wider, (...search) => facets(source, ...search)),
  ])
  return { ...matching, bySeverity }
}

/**
 * Reads the matching events once for the histogram and all fields, if they are not cached. The engine returns only the most
 * frequent values of each field.
 * @param bucketMs `null` omits the histogram
 * @param further conditions for the histogram and the fields, but not for `bySeverity`; `null` omits `bySeverity`
 */
async function countTogether(
  source: Source,
  filter: Filter,
  bucketMs: number | null,
  fields: readonly FacetField[],
  limit: number,
  further: readonly Query[] | null = null,
): Promise<Counts> {
  const isFurther = further && (await meets(source, further))
  const isGrouped = further === null && isGroupedQuery(filter.query)
  const cached = isGrouped ? null : await cachedCounts(source, filter, bucketMs, fields, limit, isFurther)
  if (cached !== null) return cached
  const buckets = bucketMs === null ? [] : emptyBuckets(filter.window, bucketMs)
  const groups = [
    ...(bucketMs === null
      ? []
      : [{ label: '', set: sql`bucket, severity`, first: sql`bucket`, value: sql`severity` }]),
    ...fields.map(field => ({ label: field, set: name(field), first: name(field), value: name(field) })),
    ...(further === null
      ? []
      : [{ label: 'wider', set: sql`any_severity`, first: sql`any_severity`, value: sql`any_severity` }]),
  ]
  // `grouping` returns 0 for a column that the row is grouped by.
  const cases = (result: (group: (typeof groups)[number]) => Sql) =>
    join(
      groups.map(group => sql`grouping(${group.first}) = 0, ${result(group)}`),
      ', ',
    )
  // One row more than the limit, because the row for NULL is dropped. Each bucket has at most one row per severity.
  const maxRows = Math.max(limit + 1, severities.length)
  const counted = countedFields(bucketMs, fields)
  const count =
    further === null ? sql`sum(events)` : sql`if(grouping(any_severity) = 0, count(), sum(events))`
  // The outer query combines values that differ only in case.
  const select = needsFingerprint(filter.query) ? source.selectOfFailures : source.select
  const matchingEvents = await (isGrouped
    ? matchingGroups(source, filter, bucketMs, counted.map(name))
    : matchingRows(source, filter, bucketMs, countedColumns(counted, isFurther)))
  const rows = await select(sql`
    SELECT bucket, field, min(text) AS value, sum(subtotal) AS count
    FROM (
      SELECT ${bucketMs === null ? sql`0` : sql`bucket`} AS bucket,
        multiIf(${cases(({ label }) => sql`${label}`)}, '') AS field,
        multiIf(${cases(({ value }) => sql`toString(${value})`)}, NULL) AS text, ${count} AS subtotal
      FROM ${matchingEvents}
      GROUP BY GROUPING SETS (${join(
        groups.map(({ set }) => sql`(${set})`),
        ', ',
      )})
    )
    GROUP BY bucket, field, lowerUTF8(text)
    HAVING count > 0 ORDER BY count DESC, value LIMIT ${maxRows} BY field, bucket`)
  for (const row of rows) {
    const severity = severities.find(each => each === row.value)
    const bucket = row.field === '' ? buckets[number(row.bucket)] : undefined
    if (severity !== undefined && bucket !== undefined) bucket.counts[severity] = number(row.count)
  }
  const valuesOf = (field: FacetField | 'wider') =>
    rows
      .filter(row => row.field === field && row.value !== null)
      .map(row => ({ value: text(row.value), count: number(row.count) }))
      .sort(compareValues)
  return {
    histogram: buckets,
    facets: fields.map(field => ({ field, values: valuesOf(field).slice(0, limit) })),
    bySeverity: further === null ? null : valuesOf('wider'),
  }
}

/** A subquery whose `events` column counts the matching events by bucket and `keys`. A group may have several rows. */
async function matchingGroups(
  source: Source,
  { window, query }: Filter,
  bucketMs: number | null,
  keys: readonly Sql[],
): Promise<Sql> {
  return eventGroups(source, {
    window,
    bucketMs,
    projection: 'event_counts',
    keys,
    values: ['events'],
    condition: await source.read(state => compile(query, state)),
  })
}

/** Like `matchingGroups`, with a row for each event. @param columns the result of `countedColumns` */
async function matchingRows(
  source: Source,
  filter: Filter,
  bucketMs: number | null,
  columns: readonly Sql[],
): Promise<Sql> {
  const bucket = bucketMs === null ? sql`0` : bucketIn(filter.window, bucketMs)
  return sql`(SELECT ${bucket} AS bucket, ${join(columns, ', ')} ${await matching(source, filter)})`
}

/** 1 if an event meets all conditions, and otherwise 0. */
async function meets({ read }: Pick<Source, 'read'>, conditions: readonly Query[]): Promise<Sql> {
  const compiled = await read(state => conditions.map(each => compile(each, state)))
  return sql`toUInt64(ifNull(${join([sql`true`, ...compiled], ' AND ')}, false))`
}

export async function attributeFacet(
  source: Source,
  filter: Filter,
  path: string,
  limit: number,
): Promise<FacetValue[]> {
  // One row more than the limit, because the row for NULL is dropped.
  const rows = await source.select(sql`
    SELECT min(text) AS value, count() AS count
    FROM (SELECT leftUTF8(${attributeText(path)}, ${maxRowLength}) AS text
      ${await matching(source, filter)} AND ${ofAttribute(path, null, sql`true`)})
    GROUP BY lowerUTF8(text) ORDER BY count DESC, value LIMIT ${limit + 1}`)
  return facetValues(rows, limit)
}

export async function attributeSeries(
  source: Source,
  { window, query }: Filter,
  series: readonly AttributeSeries[],
  bucketMs: number,
): Promise<(number | null)[][]> {
  const length = bucketCount(window, bucketMs)
  const condition = await source.read(state => compile(query, state))
  const matchingEvents = sql`${source.events} AND ${condition}`
  const paths = series.map(({ path }) => path)
  const grains = await source.cache.samples(matchingEvents, paths, window)
  if (grains !== null) return aggregateSamples(grains, series, window, bucketMs)
  const functions = { mean: sql`avg`, highest: sql`max`, sum: sql`sum` }
  const values = series.map(({ path, aggregate }) => sql`${functions[aggregate]}(${attributeNumber(path)})`)
  const rows = await source.select(sql`
    SELECT ${bucketIn(window, bucketMs)} AS bucket, [${join(values, ', ')}] AS numbers
    ${matchingEvents} AND ${inWindow(window)} GROUP BY bucket`)
  const byBucket = new Map(rows.map(row => [number(row.bucket), list(row.numbers, numberOrNull)]))
  return series.map((_, index) =>
    Array.from({ length }, (_, bucket) => byBucket.get(bucket)?.[index] ?? null),
  )
}

function aggregateSamples(
  grains: readonly SampleGrain[],
  series: readonly AttributeSeries[],
  window: Window,
  bucketMs: number,
): (number | null)[][] {
  const { fromUs, toUs } = timesOf(window)
  const bucketAt = bucketFinder(bucketsOf(window, bucketMs))
  const totals = createSeriesTotals(series, bucketCount(window, bucketMs))
  for (const { timesUs, values } of grains) {
    for (const [event, timeUs] of timesUs.entries()) {
      if (timeUs < fromUs || timeUs >= toUs) continue
      for (const [index, ofSeries] of values.entries()) {
        const value = ofSeries[event] ?? Number.NaN
        if (!Number.isNaN(value)) totals.add(index, bucketAt(timeUs), value)
      }
    }
  }
  return totals.values()
}
