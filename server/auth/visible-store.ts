import type { FailureRow } from '../../shared/failure.ts'
import type { User } from '../../shared/user.ts'
import type { Store } from '../store/store.ts'

/**
 * Limits the store to what a user may see. A user who may see only some services gets no events of other services. Saved
 * searches and the notes and fingerprints of a failure can mention other services, and the oldest event can belong to one,
 * so such a user gets none of them.
 */
export function visibleStore(store: Store, { services }: Pick<User, 'services'>): Store {
  if (services === null) return store
  const limited = store.limitedTo(services)
  const withVisibleStates = async (rows: readonly FailureRow[], signal?: AbortSignal) => {
    const limitedReleases = rows.some(mentionsRelease) ? await limited.releases(services, signal) : []
    const releases = new Set(limitedReleases.map(({ release }) => release))
    return rows.map(row => withoutOtherServices(row, releases))
  }
  return {
    ...store,
    ...limited,
    async failures(query, signal) {
      const list = await limited.failures(query, signal)
      return { ...list, failures: await withVisibleStates(list.failures, signal) }
    },
    // Otherwise, the id would show that the fingerprint belongs to a failure that the user may not see.
    async failureId(fingerprint, signal) {
      const id = await store.failureId(fingerprint, signal)
      if (id === fingerprint) return id
      const { occurrences } = await limited.failureImpact(id, signal)
      return occurrences > 0 ? id : fingerprint
    },
    async failure(id, bucketMs, window, signal) {
      const row = await limited.failure(id, bucketMs, window, signal)
      const [shown = null] = row === null ? [] : await withVisibleStates([row], signal)
      return shown
    },
    stats: async () => ({ ...(await store.stats()), oldestMs: null }),
    failureStates: { ...store.failureStates, notes: async () => [] },
    savedSearches: { ...store.savedSearches, list: async () => [] },
    manualGrouping: { ...store.manualGrouping, fingerprints: async () => ({ fingerprints: [], total: 0 }) },
  }
}

function mentionsRelease({ resolved, returned }: FailureRow): boolean {
  return (resolved?.release ?? returned?.release ?? null) !== null
}

/**
 * A failure may occur in several services, so its state may mention a release of a hidden service, or that an event of a
 * hidden service reopened the failure.
 */
function withoutOtherServices(row: FailureRow, releases: ReadonlySet<string>): FailureRow {
  const { resolved, returned, stateMs, lastSeenMs } = row
  const isVisible = (release: string | null) => release === null || releases.has(release)
  // An event of another service reopened the failure if no visible event is newer than the resolution.
  const isReturnHidden =
    returned !== null && (!isVisible(returned.release) || (resolved !== null && lastSeenMs <= resolved.atMs))
  return {
    ...row,
    stateMs: isReturnHidden && stateMs === returned.atMs ? null : stateMs,
    resolved:
      resolved === null || isVisible(resolved.release)
        ? resolved
        : { ...resolved, release: null, isReleaseHidden: true },
    returned: isReturnHidden ? null : returned,
  }
}
