import type { EventRow } from '../../../../shared/event.ts'
import { addPaths, urlAttributes } from '../../common/request-path.ts'
import { sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import { firstAttribute } from '../sql/attribute.ts'
import type { Source } from '../sql/source.ts'

/** Adds the path to each request that has no route. */
export function withPaths({ select, events }: Source, rows: readonly EventRow[]): Promise<EventRow[]> {
  return addPaths(rows, requests => {
    const times = requests.map(({ timeMs }) => microsOf(timeMs))
    const ids = JSON.stringify(requests.map(({ id }) => id))
    // The table is sorted by time.
    return select(sql`
      SELECT id, ${firstAttribute(urlAttributes)} AS url ${events}
        AND time_us BETWEEN ${Math.min(...times)} AND ${Math.max(...times)}
        AND id IN JSONExtract(${ids}, 'Array(Int64)')`)
  })
}
