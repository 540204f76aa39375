import type { KnownRelease, RequestFilter } from '../event-store.ts'
import { maxReleaseStarts, maxReleases } from './list-limits.ts'
import { newestReleaseFirst } from './newest-release-first.ts'
import { selectsService } from './selects-service.ts'
import type { ServiceTimes, TimesSource } from './service-times.ts'
import { microsOf } from './time.ts'

/** Returns the releases of services, newest first. */
export async function releases(
  { serviceTimes }: TimesSource,
  services: readonly string[],
): Promise<KnownRelease[]> {
  if (services.length === 0) return []
  const times = await serviceTimes()
  return [...new Set(services)]
    .flatMap(service => releasesOf(times, service))
    .map(toRelease)
    .sort(newestReleaseFirst)
    .slice(0, maxReleases)
}

/** Returns the releases that start in the window, newest first. */
export async function releaseStarts(
  { serviceTimes }: TimesSource,
  { window, ...services }: RequestFilter,
): Promise<KnownRelease[]> {
  const [fromUs, toUs] = [microsOf(window.fromMs), microsOf(window.toMs)]
  const times = await serviceTimes()
  return [...times.releases.keys()]
    .filter(name => selectsService(services, name))
    .flatMap(name => {
      const started = releasesOf(times, name).filter(({ firstUs }) => firstUs >= fromUs && firstUs < toUs)
      if (started.length === 0) return []
      // The release of a service's first stored event may have started earlier.
      const firstUs = firstEventUs(times, name)
      return started.filter(release => release.firstUs > firstUs)
    })
    .map(toRelease)
    .sort(newestReleaseFirst)
    .slice(0, maxReleaseStarts)
}

type ReleaseStart = { service: string; release: string; firstUs: number }

function releasesOf({ releases }: ServiceTimes, service: string): ReleaseStart[] {
  return Array.from(releases.get(service) ?? [], ([release, { firstUs }]) => ({ service, release, firstUs }))
}

/** Returns `Infinity` for a service that `sources` omits: see `ServiceTimes`. */
function firstEventUs({ sources }: ServiceTimes, service: string): number {
  let firstUs = Number.POSITIVE_INFINITY
  for (const times of sources.get(service)?.values() ?? []) firstUs = Math.min(firstUs, times.firstUs)
  return firstUs
}

function toRelease({ service, release, firstUs }: ReleaseStart): KnownRelease {
  return { service, release, firstSeenMs: firstUs / 1000 }
}
