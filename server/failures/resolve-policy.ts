import type { KnownRelease } from '../store/event-store.ts'
import type { Resolution, ScannedOccurrence } from '../store/failure-store.ts'
import { compareReleases } from './release-order.ts'

/**
 * What is remembered when a failure is resolved: which releases may go on to show it. Those are all that are known
 * where it is fixed in the next one, and those before it where it is fixed in a named one.
 *
 * @param known the releases of its services
 * @param release `null` for the next one
 */
export function resolution(known: readonly KnownRelease[], release: string | null, atMs: number): Resolution {
  const firstSeenMs = Math.min(
    ...known.filter(each => each.release === release).map(each => each.firstSeenMs),
  )
  const isOld = (each: KnownRelease) =>
    release === null ||
    (each.release !== release && (precedes(each.release, release) ?? each.firstSeenMs < firstSeenMs))
  // An occurrence without a release says nothing where others of its service have one.
  const silent = [...new Set(known.map(({ service }) => service))].map(service => ({
    service,
    release: null,
  }))
  const old = known.filter(isOld).map(({ service, release }) => ({ service, release }))
  return { atMs, release, oldReleases: [...old, ...silent] }
}

/** Whether an occurrence that was accepted after the resolving shows that the failure is back. */
export function isReturn(
  sighting: Pick<ScannedOccurrence, 'service' | 'release'>,
  resolution: Resolution,
): boolean {
  const old = resolution.oldReleases.filter(({ service }) => service === sighting.service)
  const isKnown = old.some(({ release }) => release === sighting.release)
  // An old release may be seen later than the known ones, and a patch of an old line may come out after the fix.
  const isEarlier = [resolution.release, ...old.map(({ release }) => release)].some(
    release => release !== null && sighting.release !== null && precedes(sighting.release, release) === true,
  )
  return !isKnown && !isEarlier
}

/** `null` where their versions do not tell. */
function precedes(a: string, b: string): boolean | null {
  const order = compareReleases(a, b)
  return order === null ? null : order < 0
}
