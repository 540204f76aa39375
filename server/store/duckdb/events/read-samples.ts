import type { LogEvent } from '../../../../shared/event.ts'
import type { Window } from '../../../../shared/range.ts'
import { microsOf } from '../../common/time.ts'
import type { Row } from '../engine/connections.ts'
import { number } from '../sql/rows.ts'
import type { Source } from '../sql/source.ts'
import { type Sql, sql } from '../sql/sql.ts'

const dayMs = 86_400_000
/** Above this number, the engine aggregates samples faster than this process. */
const maxSamples = 20_000

/**
 * Reads samples of a window. Reads them for whole days, so that different windows share a cached result.
 * @param select returns a table of the samples in a window, with the column `time_us`
 * @param affectedBy whether a new event has a sample
 * @returns `null` if the days have too many samples
 */
export async function readSamples(
  { queryCached }: Source,
  window: Window,
  select: (days: Window) => Promise<Sql>,
  affectedBy: (event: LogEvent) => boolean,
): Promise<Row[] | null> {
  const days = {
    fromMs: Math.floor(window.fromMs / dayMs) * dayMs,
    toMs: Math.ceil(window.toMs / dayMs) * dayMs,
  }
  const rows = await queryCached(
    sql`
    SELECT *, count(*) OVER () AS total FROM ${await select(days)}
    QUALIFY total <= ${maxSamples} OR row_number() OVER () = 1`,
    affectedBy,
  )
  if (number(rows[0]?.total ?? 0) > maxSamples) return null
  const [fromUs, toUs] = [microsOf(window.fromMs), microsOf(window.toMs)]
  return rows.filter(row => number(row.time_us) >= fromUs && number(row.time_us) < toUs)
}
