import { compareText } from '../../common/compare-text.ts'
import { maxServices } from '../../common/list-limits.ts'
import type { Source } from '../sql/source.ts'

type LastSeen = { service: string; source: string; lastSeenMs: number }

/** Returns when each service last sent an event from each source. */
export async function lastSeen({ serviceTimes }: Source): Promise<LastSeen[]> {
  const found = new Map<string, LastSeen>()
  for (const { service, source, lastUs } of await serviceTimes()) {
    const key = JSON.stringify([service, source])
    const known = found.get(key)
    const lastSeenMs = lastUs / 1000
    if (known === undefined) found.set(key, { service, source, lastSeenMs })
    else known.lastSeenMs = Math.max(known.lastSeenMs, lastSeenMs)
  }
  return [...found.values()]
    .sort((a, b) => b.lastSeenMs - a.lastSeenMs || byName(a, b))
    .slice(0, maxServices)
    .sort(byName)
}

function byName(a: LastSeen, b: LastSeen): number {
  return compareText(a.service, b.service) || compareText(a.source, b.source)
}
