import { maxRowLength } from '../../common/cut.ts'
import { facetValues } from '../../common/facet-values.ts'
import { slow, sql } from '../../common/sql.ts'
import type { FacetValue, Filter } from '../../event-store.ts'
import { attributeText } from '../sql/attribute.ts'
import type { Source } from '../sql/source.ts'
import { matchingEvents } from './matching-events.ts'

export async function attributeFacet(
  source: Source,
  filter: Filter,
  path: string,
  limit: number,
): Promise<FacetValue[]> {
  const text = sql`left(${attributeText(path)}, ${maxRowLength})`
  // One row more than the limit, for the events without a value. With a condition, the engine would parse the JSON twice.
  const rows = await source.query(
    slow(sql`
      SELECT min(text) AS value, count(*) AS count
      FROM (SELECT ${text} AS text FROM ${await matchingEvents(source, filter)})
      GROUP BY lower(text) ORDER BY count DESC, value LIMIT ${limit + 1}`),
  )
  return facetValues(rows, limit)
}
