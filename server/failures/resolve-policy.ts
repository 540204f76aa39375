import type { KnownRelease } from '../store/event-store.ts'
import type { Resolution, ScannedOccurrence, ServiceRelease } from '../store/failure-store.ts'
import { compareReleases } from './release-order.ts'

/**
 * Builds a failure's resolution, including the old releases in which the failure may still occur. If the next release has
 * the fix, these are all known releases; otherwise, they are the releases before the fix. A service that has never reported
 * the release with the fix, although another one has, is treated as if its next release has the fix.
 *
 * @param services the services of the failure
 * @param known the releases of these services
 * @param release the release with the fix; `null` for the next one
 */
export function resolution(
  services: Iterable<string>,
  known: readonly KnownRelease[],
  release: string | null,
  atMs: number,
): Resolution {
  return { atMs, release, oldReleases: oldReleasesOf(services, known, release) }
}

/**
 * Returns the old releases of a resolved failure after another failure is merged into it, as if both had been resolved now.
 * @param services the services of the other failure
 * @param known the releases of the services of both failures
 */
export function oldReleasesAfterMerge(
  { release, oldReleases }: Resolution,
  services: Iterable<string>,
  known: readonly KnownRelease[],
): ServiceRelease[] {
  const added = oldReleasesOf(services, known, release).filter(
    each => !oldReleases.some(old => old.service === each.service && old.release === each.release),
  )
  return [...oldReleases, ...added]
}

/** Returns the old releases of services, and the release with the fix for each service that uses it: see `Resolution`. */
function oldReleasesOf(
  services: Iterable<string>,
  known: readonly KnownRelease[],
  fix: string | null,
): ServiceRelease[] {
  const hasFix = (each: KnownRelease) => fix !== null && isSameRelease(each.release, fix)
  const isReported = known.some(hasFix)
  return [...services].flatMap(service => {
    const releases = known.filter(each => each.service === service)
    const fixed = releases.filter(hasFix)
    const usesFix = fix !== null && (fixed.length > 0 || !isReported)
    const firstSeenMs = Math.min(...fixed.map(each => each.firstSeenMs))
    const isOld = (each: KnownRelease) =>
      !usesFix || (!hasFix(each) && (precedes(each.release, fix) ?? each.firstSeenMs < firstSeenMs))
    const old: (string | null)[] = releases.filter(isOld).map(each => each.release)
    if (usesFix) old.push(fix)
    // If a service has releases, its occurrences without a release do not count as returns.
    if (releases.length > 0) old.push(null)
    return old.map(release => ({ service, release }))
  })
}

/** Whether an occurrence that was accepted after its failure was resolved counts as a return. */
export function isReturn(
  { service, release }: Pick<ScannedOccurrence, 'service' | 'release'>,
  { release: fix, oldReleases }: Resolution,
): boolean {
  const isOld = (old: string | null) => {
    if (old === null || release === null) return old === release
    // An old release, such as a patch of an old version, may first appear after the resolution.
    return (old === release && old !== fix) || precedes(release, old) === true
  }
  return !oldReleases.some(old => old.service === service && isOld(old.release))
}

/**
 * Whether a release that people entered means this release of an event. They may enter its tag (v1.4.3) although the event
 * contains the version (1.4.3), and omit its build metadata (+4f1c9e2).
 */
function isSameRelease(release: string, entered: string): boolean {
  const actual = withoutPrefix(release)
  return [actual, actual.replace(/\+.*/, '')].includes(withoutPrefix(entered))
}

function withoutPrefix(release: string): string {
  return release.replace(/^[v=](?=\d)/i, '')
}

/** Whether release `a` is older than `b`, or `null` if the two have no order. */
function precedes(a: string, b: string): boolean | null {
  const order = compareReleases(a, b)
  return order === null ? null : order < 0
}
