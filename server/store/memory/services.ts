import type { LogEvent } from '../../../shared/event.ts'
import { compareText } from '../common/compare-text.ts'
import { groupBy } from '../common/group-by.ts'
import { maxReleaseStarts, maxReleases, maxServices } from '../common/list-limits.ts'
import { newestReleaseFirst } from '../common/newest-release-first.ts'
import { microsOf } from '../common/time.ts'
import type { EventStore, SeenSource } from '../event-store.ts'
import { stateOf } from '../state/failure-ids.ts'
import { byBucket, firstMs, lastMs } from './buckets.ts'
import { type Memory, newestFirst, type Run } from './memory.ts'
import { requestCounts } from './requests.ts'
import { eventsIn, eventsOfServices } from './select-events.ts'

export function memoryServices(
  memory: Memory,
  run: Run,
): Pick<EventStore, 'services' | 'seenSources' | 'releaseStarts' | 'releases'> {
  return {
    services: (window, bucketMs, signal) =>
      run(signal, () =>
        groupBy(eventsIn(memory, window), ({ service }) => service)
          .map(([{ service }, events]) => ({
            service,
            release: events.toSorted(newestFirst).find(({ release }) => release !== null)?.release ?? null,
            events: events.length,
            failures: events.filter(
              ({ fingerprint }) => fingerprint !== null && stateOf(memory.state, fingerprint) === 'open',
            ).length,
            ...requestCounts(events),
            sparkline: byBucket(events, window, bucketMs).map(bucket => bucket.events.length),
            lastSeenMs: lastMs(events),
          }))
          .sort(
            (a, b) =>
              b.failures - a.failures ||
              b.errors - a.errors ||
              b.events - a.events ||
              compareText(a.service, b.service),
          )
          .slice(0, maxServices)
          .sort((a, b) => compareText(a.service, b.service)),
      ),
    seenSources: signal =>
      run(signal, () =>
        groupBy(memory.events, ({ service, source }) => [service, source])
          .map(([{ service, source }, events]) => ({
            service,
            source,
            firstSeenMs: firstMs(events),
            lastSeenMs: lastMs(events),
          }))
          .sort((a, b) => b.lastSeenMs - a.lastSeenMs || bySource(a, b))
          .slice(0, maxServices)
          .sort(bySource),
      ),
    releaseStarts: (filter, signal) =>
      run(signal, () => {
        const { window } = filter
        const earlier = memory.events.filter(({ timeMs }) => microsOf(timeMs) < microsOf(window.fromMs))
        const earlierReleases = new Set(earlier.map(event => JSON.stringify([event.service, event.release])))
        const earlierServices = new Set(earlier.map(event => event.service))
        return releasesOf(eventsOfServices(memory, filter))
          .filter(each => {
            if (earlierReleases.has(JSON.stringify([each.service, each.release]))) return false
            const ofService = eventsIn(memory, window).filter(({ service }) => service === each.service)
            return earlierServices.has(each.service) || each.firstSeenMs > firstMs(ofService)
          })
          .slice(0, maxReleaseStarts)
      }),
    releases: (services, signal) =>
      run(signal, () =>
        releasesOf(memory.events.filter(({ service }) => services.includes(service))).slice(0, maxReleases),
      ),
  }
}

/** Newest first. */
function releasesOf(events: readonly LogEvent[]) {
  return groupBy(events, ({ service, release }) => [service, release])
    .flatMap(([{ service, release }, group]) =>
      release === null ? [] : [{ service, release, firstSeenMs: firstMs(group) }],
    )
    .sort(newestReleaseFirst)
}

function bySource(a: SeenSource, b: SeenSource): number {
  return compareText(a.service, b.service) || compareText(a.source, b.source)
}
