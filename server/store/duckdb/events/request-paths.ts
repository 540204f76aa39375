import type { EventRow } from '../../../../shared/event.ts'
import { addPaths, urlAttributes } from '../../common/request-path.ts'
import { sql } from '../../common/sql.ts'
import { values } from '../failures/failure-id.ts'
import { firstAttribute } from '../sql/attribute.ts'
import { eventsOf, type Source, segmentsWithIds } from '../sql/source.ts'

/** Adds the path to each request that has no route. */
export function withPaths(source: Source, rows: readonly EventRow[]): Promise<EventRow[]> {
  return addPaths(rows, async requests => {
    const ids = requests.map(({ id }) => id)
    const segments = segmentsWithIds(source.segments.all(), ids)
    // Retention may have deleted the events since they were read.
    if (segments.length === 0) return []
    return source.query(
      sql`SELECT id, ${firstAttribute(urlAttributes)} AS url FROM ${eventsOf(segments)} WHERE id IN (${values(ids)})`,
    )
  })
}
