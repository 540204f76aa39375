import type { Filter } from '../../event-store.ts'
import { searchOf } from '../failures/search.ts'
import { inWindow, type Source } from '../sql/source.ts'
import { type Sql, sql } from '../sql/sql.ts'

/** The events that match, as a table. */
export async function matchingEvents(source: Source, { window, query }: Filter): Promise<Sql> {
  const search = await searchOf(source, query)
  const events = await search.matching(source.segments.overlapping(window))
  return sql`(SELECT * FROM ${events} WHERE ${inWindow(window)})`
}
