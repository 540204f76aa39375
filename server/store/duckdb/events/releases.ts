import { compareText } from '../../common/compare-text.ts'
import { microsOf } from '../../common/time.ts'
import type { KnownRelease, RequestFilter } from '../../event-store.ts'
import type { ServiceTimes } from '../engine/service-times.ts'
import type { Source } from '../sql/source.ts'

/** Older releases are omitted, because charts have no space for them. */
const maxStarts = 500
/** Nobody scrolls through more releases. */
const maxReleases = 5000

/** Returns the releases of services, newest first. */
export async function releases(source: Source, services: readonly string[]): Promise<KnownRelease[]> {
  const included = new Set(services)
  return releasesIn(await source.serviceTimes())
    .filter(({ service }) => included.has(service))
    .sort(newestFirst)
    .slice(0, maxReleases)
    .map(toRelease)
}

/** Returns the releases that start in the window, newest first. */
export async function releaseStarts(
  source: Source,
  { window, service }: RequestFilter,
): Promise<KnownRelease[]> {
  const [fromUs, toUs] = [microsOf(window.fromMs), microsOf(window.toMs)]
  const times = await source.serviceTimes()
  const startUs = new Map<string, number>()
  for (const { service, firstUs } of times) {
    startUs.set(service, Math.min(startUs.get(service) ?? firstUs, firstUs))
  }
  return (
    releasesIn(times)
      .filter(({ firstUs }) => firstUs >= fromUs && firstUs < toUs)
      .filter(release => service === null || release.service === service)
      // The first stored event of a service may not be the start of its release.
      .filter(release => release.firstUs !== startUs.get(release.service))
      .sort(newestFirst)
      .slice(0, maxStarts)
      .map(toRelease)
  )
}

type ReleaseStart = { service: string; release: string; firstUs: number }

function releasesIn(times: readonly ServiceTimes[]): ReleaseStart[] {
  const found = new Map<string, ReleaseStart>()
  for (const { service, release, firstUs } of times) {
    if (release === null) continue
    const key = JSON.stringify([service, release])
    const known = found.get(key)
    if (known === undefined) found.set(key, { service, release, firstUs })
    else known.firstUs = Math.min(known.firstUs, firstUs)
  }
  return [...found.values()]
}

function newestFirst(a: ReleaseStart, b: ReleaseStart): number {
  return b.firstUs - a.firstUs || compareText(a.service, b.service) || compareText(a.release, b.release)
}

function toRelease({ service, release, firstUs }: ReleaseStart): KnownRelease {
  return { service, release, firstSeenMs: firstUs / 1000 }
}
