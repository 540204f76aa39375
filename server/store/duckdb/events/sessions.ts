import { rankSessions } from '../../common/rank-sessions.ts'
import { number, text, textOrNull } from '../../common/rows.ts'
import { selectsService } from '../../common/selects-service.ts'
import { join, sql } from '../../common/sql.ts'
import type { RequestFilter, SessionCounts } from '../../event-store.ts'
import type { Source } from '../sql/source.ts'
import { untilNewest } from '../sql/source.ts'
import { hasVisitorSample, sessionNames, visitorSampleKeys, visitorSamples } from './visitor-samples.ts'
import { visitSamples } from './window-samples.ts'

/** Sums the sessions of each release. */
export async function sessions(
  source: Source,
  filter: RequestFilter,
  limit: number,
): Promise<SessionCounts[]> {
  const { window } = filter
  const sums = new Map<string, number>()
  const isVisited = await visitSamples(
    source,
    window,
    window.toMs - window.fromMs,
    { select: async day => visitorSampleKeys(source, day), hasSample: hasVisitorSample },
    (key, _bucket, value) => sums.set(key, (sums.get(key) ?? 0) + value),
  )
  const counted = isVisited
    ? Array.from(sums, ([key, sum]) => ({ ...parseKey(key), sum }))
    : await readSums(source, filter)
  return rankSessions(
    counted.filter(each => selectsService(filter, each.service)),
    limit,
  )
}

function parseKey(key: string): { service: string; release: string | null; name: string } {
  const parts: unknown = JSON.parse(key)
  if (!Array.isArray(parts)) throw new TypeError('Expected a list from the engine')
  return { service: text(parts[0]), release: textOrNull(parts[1]), name: text(parts[2]) }
}

async function readSums(source: Source, { window }: RequestFilter) {
  const known = sessionNames.map(name => sql`${name}`)
  const rows = await source.queryCached(sql`
    SELECT service, part, name, sum(value) AS sum FROM ${visitorSamples(source, untilNewest(source, window))}
    WHERE name IN (${join(known, ', ')}) GROUP BY ALL`)
  return rows.map(row => ({
    service: text(row.service),
    release: textOrNull(row.part),
    name: text(row.name),
    sum: number(row.sum),
  }))
}
