import { compareText } from '../../common/compare-text.ts'
import { maxServices } from '../../common/list-limits.ts'
import type { SeenSource } from '../../event-store.ts'
import type { Source } from '../sql/source.ts'

/** See `EventStore`. */
export async function seenSources({ serviceTimes }: Source): Promise<SeenSource[]> {
  const { sources } = await serviceTimes()
  return [...sources]
    .flatMap(([service, bySource]) =>
      Array.from(bySource, ([source, { firstUs, lastUs }]) => ({
        service,
        source,
        firstSeenMs: firstUs / 1000,
        lastSeenMs: lastUs / 1000,
      })),
    )
    .sort((a, b) => b.lastSeenMs - a.lastSeenMs || byName(a, b))
    .slice(0, maxServices)
    .sort(byName)
}

function byName(a: SeenSource, b: SeenSource): number {
  return compareText(a.service, b.service) || compareText(a.source, b.source)
}
