import { createTimeSlice } from '../../../time-slice.ts'
import { createGroupList, type GroupList } from '../../common/metrics/group-list.ts'
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

/** A value of a counted column. */
export type CountedValue = { label: string; value: string }

/** How many events have each of these values, which are indexes of a `GroupList`. */
export type ValueCounts = { values: Uint32Array; counts: Uint32Array }

/** With more counts in one read, a query that returns only the most frequent values is faster. */
const maxRead = 40_000
/** More different values would need too much memory. */
const maxValues = 5000
/** The approximate memory of the objects that represent a grain. */
const grainBytes = 300

export function createCountedValues(): GroupList<CountedValue> {
  return createGroupList(({ label, value }) => `${label} ${value}`)
}

/** @param onTooMany called if there are too many different values */
export function searchCountGrains(
  { select }: Pick<Connection, 'select'>,
  search: CountedSearch,
  values: GroupList<CountedValue>,
  onTooMany: () => void,
): GrainReader<ValueCounts> {
  return {
    grainUs,
    // Eight days, so that most searches need one statement.
    maxGrains: 384,
    async read(first, end, signal) {
      const times = sql`time_us >= ${first * grainUs} AND time_us < ${end * grainUs}`
      const rows = await select(valueCounts(search, grainNumber(grainUs), times), signal)
      const grains = await readCounts(rows, values)
      if (grains === null) onTooMany()
      return grains
    },
    empty: () => ({ values: new Uint32Array(), counts: new Uint32Array() }),
    add: () => null,
    bytesOf: ({ values, counts }) => grainBytes + values.byteLength + counts.byteLength,
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
      LIMIT ${maxRead + 1}
    ) GROUP BY key`
}

/** Reads the result of `valueCounts`, by key. Returns `null` if there are too many values. */
export async function readCounts(
  rows: readonly Row[],
  values: GroupList<CountedValue>,
): Promise<Map<number, ValueCounts> | null> {
  const slice = createTimeSlice()
  const byKey = new Map<number, ValueCounts>()
  let read = 0
  for (const row of rows) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    const [labels, texts] = [list(row.labels, text), list(row.texts, text)]
    read += labels.length
    byKey.set(number(row.key), {
      values: Uint32Array.from(labels, (label, index) =>
        values.indexOf({ label, value: texts[index] ?? '' }),
      ),
      counts: Uint32Array.from(list(row.counts, number)),
    })
  }
  return read > maxRead || values.list.length > maxValues ? null : byKey
}
