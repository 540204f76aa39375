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
  const withVisibleReleases = async (rows: readonly FailureRow[], signal?: AbortSignal) => {
    if (!rows.some(mentionsRelease)) return [...rows]
    const releases = new Set((await limited.releases(services, signal)).map(({ release }) => release))
    return rows.map(row => withoutOtherReleases(row, releases))
  }
  return {
    ...store,
    ...limited,
    async failures(query, signal) {
      const list = await limited.failures(query, signal)
      return { ...list, failures: await withVisibleReleases(list.failures, signal) }
    },
    async failure(id, bucketMs, window, signal) {
      const row = await limited.failure(id, bucketMs, window, signal)
      const [shown = null] = row === null ? [] : await withVisibleReleases([row], signal)
      return shown
    },
    stats: async () => ({ ...(await store.stats()), oldestMs: null }),
    failureStates: { ...store.failureStates, notes: async () => [] },
    savedSearches: { ...store.savedSearches, list: async () => [] },
    manualGrouping: { ...store.manualGrouping, fingerprints: async () => [] },
  }
}

function mentionsRelease({ resolved, returned }: FailureRow): boolean {
  return (resolved?.release ?? returned?.release ?? null) !== null
}

/** A failure may occur in several services, so its state may mention the releases of any of them. */
function withoutOtherReleases(row: FailureRow, releases: ReadonlySet<string>): FailureRow {
  const isHidden = (moment: FailureRow['returned']) =>
    moment !== null && moment.release !== null && !releases.has(moment.release)
  const { resolved, returned } = row
  return {
    ...row,
    resolved:
      resolved !== null && isHidden(resolved)
        ? { ...resolved, release: null, isReleaseHidden: true }
        : resolved,
    returned: returned !== null && isHidden(returned) ? { ...returned, release: null } : returned,
  }
}
