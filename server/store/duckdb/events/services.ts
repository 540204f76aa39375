import type { Window } from '../../../../shared/range.ts'
import { maxServices } from '../../common/list-limits.ts'
import type { ServiceMetrics } from '../../event-store.ts'
import type { RequestCell } from '../engine/request-cells.ts'
import { isInState } from '../failures/failure-state.ts'
import { answered } from '../sql/duration-lists.ts'
import { number, text, textOrNull } from '../sql/rows.ts'
import { eventsOf, inWindow, type Source } from '../sql/source.ts'
import { sql } from '../sql/sql.ts'
import { textList } from '../sql/text-list.ts'
import { visitRequests } from './read-requests.ts'
import { requestCounts } from './requests.ts'
import { sparklines } from './sparklines.ts'

export async function services(source: Source, window: Window, bucketMs: number): Promise<ServiceMetrics[]> {
  const events = sql`(SELECT * FROM ${eventsOf(source.segments.overlapping(window))} WHERE ${inWindow(window)})`
  const rows = await source.query(sql`
    FROM (
      SELECT service, count(*) AS events, count(*) FILTER (WHERE ${answered} AND status >= 500) AS errors,
        count(*) FILTER (WHERE fingerprint IS NOT NULL AND ${isInState('open')}) AS failures,
        arg_max(release, time_us) AS release, max(time_us) AS last_us
      FROM ${events} GROUP BY service
      ORDER BY failures DESC, errors DESC, events DESC, service LIMIT ${maxServices}
    ) ORDER BY service`)
  const names = textList(rows.map(row => text(row.service)))
  const listed = rows.length < maxServices ? sql`true` : sql`service IN ${names}`
  const sparklineOf = await sparklines(
    source,
    sql`(FROM ${events} WHERE ${listed})`,
    sql`service`,
    window,
    bucketMs,
  )
  const cells = new Map<string, RequestCell[]>(rows.map(row => [text(row.service), []]))
  const options = { bucketMs: null, grouping: 'service', listed } as const
  await visitRequests(source, { window, service: null }, options, cell => {
    cells.get(cell.key.service)?.push(cell)
  })
  return rows.map(row => ({
    service: text(row.service),
    release: textOrNull(row.release),
    events: number(row.events),
    failures: number(row.failures),
    ...requestCounts(cells.get(text(row.service)) ?? []),
    sparkline: sparklineOf(text(row.service)),
    lastSeenMs: number(row.last_us) / 1000,
  }))
}
