import { name, type Sql, sql } from '../../common/sql.ts'
import type { FacetField } from '../../event-store.ts'

/** The fields whose values are counted. The histogram counts severities. */
export function countedFields(bucketMs: number | null, fields: readonly FacetField[]): FacetField[] {
  return [...new Set<FacetField>([...(bucketMs === null ? [] : ['severity' as const]), ...fields])]
}

/**
 * The columns of an event that is counted.
 * @param isFurther 1 if the event meets the conditions that a wider search lacks, and otherwise 0; `null` if all events count
 */
export function countedColumns(counted: readonly FacetField[], isFurther: Sql | null): Sql[] {
  return [...counted.map(name), sql`severity AS any_severity`, sql`${isFurther ?? sql`1`} AS events`]
}
