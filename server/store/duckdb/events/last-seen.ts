import { compareText } from '../../common/compare-text.ts'
import { maxServices } from '../../common/list-limits.ts'
import type { LastSeen } from '../../event-store.ts'
import type { Source } from '../sql/source.ts'

/** Returns when each service last sent an event from each source. */
export async function lastSeen({ serviceTimes }: Source): Promise<LastSeen[]> {
  const { sources } = await serviceTimes()
  return [...sources]
    .flatMap(([service, bySource]) =>
      Array.from(bySource, ([source, { lastUs }]) => ({ service, source, lastSeenMs: lastUs / 1000 })),
    )
    .sort((a, b) => b.lastSeenMs - a.lastSeenMs || byName(a, b))
    .slice(0, maxServices)
    .sort(byName)
}

function byName(a: LastSeen, b: LastSeen): number {
  return compareText(a.service, b.service) || compareText(a.source, b.source)
}
