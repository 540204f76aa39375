import { createTimeSlice } from '../../../time-slice.ts'
import { grainUs } from '../../common/metrics/times.ts'
import { list, number, type Row, text } from '../../common/rows.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import type { Connection } from '../engine/connection.ts'
import { grainNumber } from '../sql/expressions.ts'
import type { GrainReader } from './grain-cache.ts'

/** The events that a search finds, and the columns whose values are counted. */
export type CountedSearch = {
  columns: readonly Sql[]
  /** `FROM … WHERE …` */
  matching: Sql
  /** The names of the columns, and an aggregate function that counts the events with a value. */
  counted: readonly { column: Sql; label: string; count: Sql }[]
}

/** How many events have a value of a column. */
type ValueCount = { label: string; value: string; count: number }
export type ValueCounts = readonly ValueCount[]

/** With more values in one read, a query that returns only the most frequent values is faster. */
const maxValues = 60_000
/** The approximate memory of a count. */
const countBytes = 100

/** @param onTooMany called if there are too many different values */
export function searchCountGrains(
  { select }: Pick<Connection, 'select'>,
  search: CountedSearch,
  onTooMany: () => void,
): GrainReader<ValueCounts> {
  return {
    grainUs,
    // Eight days, so that most searches need one statement.
    maxGrains: 384,
    async read(first, end, signal) {
      const times = sql`time_us >= ${first * grainUs} AND time_us < ${end * grainUs}`
      const grains = await readCounts(await select(valueCounts(search, grainNumber(grainUs), times), signal))
      if (grains === null) onTooMany()
      return grains
    },
    empty: () => [],
    add: () => null,
    bytesOf: counts => (counts.length + 1) * countBytes,
  }
}

/** Selects the counts of events at these times, by `key`. */
export function valueCounts({ columns, matching, counted }: CountedSearch, key: Sql, times: Sql): Sql {
  // `grouping` returns 0 for a column that the row is grouped by.
  const cases = (result: (column: CountedSearch['counted'][number]) => Sql) =>
    join(
      counted.map(each => sql`grouping(${each.column}) = 0, ${result(each)}`),
      ', ',
    )
  const sets = join(
    counted.map(({ column }) => sql`(key, ${column})`),
    ', ',
  )
  return sql`
    SELECT key, groupArray(label) AS labels, groupArray(value) AS texts, groupArray(count) AS counts
    FROM (
      SELECT key, multiIf(${cases(({ label }) => sql`${label}`)}, '') AS label,
        multiIf(${cases(({ column }) => sql`toString(${column})`)}, NULL) AS value,
        multiIf(${cases(({ count }) => count)}, 0) AS count
      FROM (SELECT ${key} AS key, ${join(columns, ', ')} ${matching} AND ${times})
      GROUP BY GROUPING SETS (${sets})
      HAVING count > 0 AND value IS NOT NULL
      LIMIT ${maxValues + 1}
    ) GROUP BY key`
}

/** Reads the result of `valueCounts`, by key. Returns `null` if there are too many values. */
export async function readCounts(rows: readonly Row[]): Promise<Map<number, ValueCounts> | null> {
  const slice = createTimeSlice()
  const byKey = new Map<number, ValueCounts>()
  let values = 0
  for (const row of rows) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    const [labels, texts] = [list(row.labels, text), list(row.texts, text)]
    const counts = list(row.counts, number).map((count, index) => ({
      label: labels[index] ?? '',
      value: texts[index] ?? '',
      count,
    }))
    values += counts.length
    byKey.set(number(row.key), counts)
  }
  return values > maxValues ? null : byKey
}
