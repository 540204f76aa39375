import type { SeenSource } from '../event-store.ts'
import { compareText } from './compare-text.ts'
import { maxServices } from './list-limits.ts'
import type { TimesSource } from './service-times.ts'

/** See `EventStore`. */
export async function seenSources({ serviceTimes }: TimesSource): Promise<SeenSource[]> {
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
