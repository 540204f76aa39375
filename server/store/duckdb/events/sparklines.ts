import type { Window } from '../../../../shared/range.ts'
import { bucketCount } from '../../buckets.ts'
import { number, text } from '../sql/rows.ts'
import { bucketOf, type Source } from '../sql/source.ts'
import { type Sql, sql } from '../sql/sql.ts'

/** Counts events per bucket for each value of `key`. Returns a function that looks up the counts for a value. */
export async function sparklines(
  source: Source,
  events: Sql,
  key: Sql,
  window: Window,
  bucketMs: number,
): Promise<(value: string) => number[]> {
  const length = bucketCount(window, bucketMs)
  const lines = new Map<string, number[]>()
  const lineOf = (value: string) => lines.get(value) ?? Array.from({ length }, () => 0)
  const rows = await source.query(sql`
    SELECT ${key} AS key, ${bucketOf(window, bucketMs)} AS bucket, count(*) AS count
    FROM ${events} GROUP BY ALL`)
  for (const row of rows) {
    const line = lineOf(text(row.key))
    line[number(row.bucket)] = number(row.count)
    lines.set(text(row.key), line)
  }
  return lineOf
}
