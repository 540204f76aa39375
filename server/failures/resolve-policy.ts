import { groupBy } from '../store/common/group-by.ts'
import type { KnownRelease } from '../store/event-store.ts'
import type { Resolution, ScannedOccurrence, ServiceRelease } from '../store/failure-store.ts'
import { compareReleases } from './release-order.ts'

/**
 * Builds a failure's resolution, including the old releases in which the failure may still occur. If the next release has
 * the fix, these are all known releases; otherwise, they are the releases before the fix. A service that has never reported
 * the release with the fix, although another one has, is treated as if its next release has the fix.
 *
 * @param known the releases of the failure's services
 * @param release the release with the fix; `null` for the next one
 */
export function resolution(known: readonly KnownRelease[], release: string | null, atMs: number): Resolution {
  const hasFix = (each: KnownRelease) => release !== null && isSameRelease(each.release, release)
  const isReported = known.some(hasFix)
  const oldReleases = groupBy(known, ({ service }) => service).flatMap(([{ service }, releases]) => {
    const fixed = releases.filter(hasFix)
    const usesFix = release !== null && (fixed.length > 0 || !isReported)
    const firstSeenMs = Math.min(...fixed.map(each => each.firstSeenMs))
    const isOld = (each: KnownRelease) =>
      !usesFix || (!hasFix(each) && (precedes(each.release, release) ?? each.firstSeenMs < firstSeenMs))
    const old = releases.filter(isOld).map(each => each.release)
    // If a service has releases, its occurrences without a release do not count as returns.
    return [...old, ...(usesFix ? [release] : []), null].map(each => ({ service, release: each }))
  })
  return { atMs, release, oldReleases }
}

/**
 * Returns the old releases of a resolved failure after another failure is merged into it, as if both had been resolved now.
 * @param known the releases of the services of both failures
 * @param services the services of the other failure
 */
export function oldReleasesAfterMerge(
  { release, atMs, oldReleases }: Resolution,
  known: readonly KnownRelease[],
  services: readonly string[],
): ServiceRelease[] {
  const added = resolution(known, release, atMs).oldReleases.filter(
    each =>
      services.includes(each.service) &&
      !oldReleases.some(old => old.service === each.service && old.release === each.release),
  )
  return [...oldReleases, ...added]
}

/** Whether an occurrence that was accepted after its failure was resolved counts as a return. */
export function isReturn(
  { service, release }: Pick<ScannedOccurrence, 'service' | 'release'>,
  { release: fixed, oldReleases }: Resolution,
): boolean {
  const isKnown = (old: string | null) => old === release && (old === null || old !== fixed)
  // An old release, such as a patch of an old version, may first appear after the resolution.
  const isEarlier = (old: string | null) =>
    old !== null && release !== null && precedes(release, old) === true
  return !oldReleases.some(old => old.service === service && (isKnown(old.release) || isEarlier(old.release)))
}

/**
 * Whether a release that people entered means this release of an event. They may enter its tag (v1.4.3) although the event
 * contains the version (1.4.3), and omit its build metadata (+4f1c9e2).
 */
function isSameRelease(release: string, entered: string): boolean {
  const known = withoutPrefix(release)
  return [known, known.replace(/\+.*/, '')].includes(withoutPrefix(entered))
}

function withoutPrefix(release: string): string {
  return release.replace(/^[v=](?=\d)/i, '')
}

/** Whether release `a` is older than `b`, or `null` if the two have no order. */
function precedes(a: string, b: string): boolean | null {
  const order = compareReleases(a, b)
  return order === null ? null : order < 0
}
