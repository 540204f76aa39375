import { type Sql, sql } from '../../common/sql.ts'

/** Rounds down to a multiple of `step`. `//` would round up negative numbers, which are times before 1970. */
export function floorTo(value: Sql, step: number): Sql {
  return sql`(${value} - (${value} % ${step} + ${step}) % ${step})`
}
