import type { Sql } from '../../common/sql.ts'
import type { Filter } from '../../event-store.ts'
import { searchOf } from '../failures/search.ts'
import type { Source } from '../sql/source.ts'

/** The matching events, as a table. */
export async function matchingEvents(source: Source, { window, query }: Filter): Promise<Sql> {
  const search = await searchOf(source, query)
  return search.matching(source.segments.overlapping(window), window)
}
