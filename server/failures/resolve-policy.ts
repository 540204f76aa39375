import type { KnownRelease } from '../store/event-store.ts'
import type { Resolution, ScannedOccurrence, ServiceRelease } from '../store/failure-store.ts'
import { compareReleases } from './release-order.ts'

/**
 * Builds a failure's resolution, including the old releases in which the failure may still occur. If the next release has
 * the fix, these are all known releases; otherwise, they are the releases before the fix.
 *
 * @param known the releases of the failure's services
 * @param release the release with the fix; `null` for the next one
 */
export function resolution(known: readonly KnownRelease[], release: string | null, atMs: number): Resolution {
  const hasFix = (each: KnownRelease) =>
    release !== null && withoutPrefix(each.release) === withoutPrefix(release)
  const firstSeenMs = Math.min(...known.filter(hasFix).map(each => each.firstSeenMs))
  const isOld = (each: KnownRelease) =>
    release === null || (!hasFix(each) && (precedes(each.release, release) ?? each.firstSeenMs < firstSeenMs))
  // If a service has releases, its occurrences without a release do not count as returns.
  const withoutRelease = [...new Set(known.map(({ service }) => service))].map(service => ({
    service,
    release: null,
  }))
  const old = known.filter(isOld).map(({ service, release }) => ({ service, release }))
  return { atMs, release, oldReleases: [...old, ...withoutRelease] }
}

/**
 * Returns the old releases of a resolved failure after another failure is merged into it, as if both had been resolved now.
 * @param known the releases of the other failure's services
 */
export function oldReleasesAfterMerge(
  { release, atMs, oldReleases }: Resolution,
  known: readonly KnownRelease[],
): ServiceRelease[] {
  const added = resolution(known, release, atMs).oldReleases.filter(
    each => !oldReleases.some(old => old.service === each.service && old.release === each.release),
  )
  return [...oldReleases, ...added]
}

/** Whether an occurrence that was accepted after its failure was resolved counts as a return. */
export function isReturn(
  occurrence: Pick<ScannedOccurrence, 'service' | 'release'>,
  resolution: Resolution,
): boolean {
  const old = resolution.oldReleases.filter(({ service }) => service === occurrence.service)
  const isKnown = old.some(({ release }) => release === occurrence.release)
  // An old release, such as a patch of an old version, may first appear after the resolution.
  const isEarlier = [resolution.release, ...old.map(({ release }) => release)].some(
    release =>
      release !== null && occurrence.release !== null && precedes(occurrence.release, release) === true,
  )
  return !isKnown && !isEarlier
}

/** People may enter the tag of a release (v1.4.3), although its events contain the version (1.4.3). */
function withoutPrefix(release: string): string {
  return release.replace(/^[v=](?=\d)/i, '')
}

/** Whether release `a` is older than `b`, or `null` if the two have no order. */
function precedes(a: string, b: string): boolean | null {
  const order = compareReleases(a, b)
  return order === null ? null : order < 0
}
