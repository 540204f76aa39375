import type { Mutex } from '../store/common/mutex.ts'
import type { Store } from '../store/store.ts'
import { applyRegrouping, type RegroupStore } from './apply-regrouping.ts'
import type { FingerprintEvents } from './fingerprint-events.ts'
import { type PlanStore, planRegrouping } from './plan-regrouping.ts'

export type RegroupingStore = PlanStore & RegroupStore & Pick<Store, 'sourceMaps'>

export type SourceMapsOptions = {
  store: RegroupingStore
  fingerprintEvents: FingerprintEvents
  /** Delays scans of the failure monitor while fingerprints change. Pass the same lock to `startFailureMonitor`. */
  withScanLock: Mutex
}

type Applied = {
  /** The number of events with a new fingerprint. */
  moved: number
  /** The releases of the source maps. */
  releases: readonly string[]
  /** Whether some source maps are too new, and must be applied again later. */
  isIncomplete: boolean
}

/**
 * Applies the uploaded source maps that have not been applied: changes the fingerprints of stored events whose stacks they
 * map, and adds the new fingerprints to the failures of the events.
 * @param isSettled whether maps uploaded at this time can be marked as applied; if not, events whose fingerprints were
 * computed without them may not be stored yet
 * @param signal aborts the work; the next call repeats it
 */
export async function applySourceMaps(
  { store, fingerprintEvents, withScanLock }: SourceMapsOptions,
  isSettled: (uploadedMs: number) => boolean,
  signal: AbortSignal,
): Promise<Applied> {
  const maps = (await store.sourceMaps.list()).filter(({ isApplied }) => !isApplied)
  const releases = [...new Set(maps.map(({ release }) => release))]
  const nothing = { moved: 0, releases, isIncomplete: false }
  if (maps.length === 0) return nothing
  const settledMaps = maps.filter(({ uploadedMs }) => isSettled(uploadedMs))
  const plan = await planRegrouping(store, maps, fingerprintEvents, signal)
  if (plan === null) return nothing
  const moved = await withScanLock(() => applyRegrouping(plan, store, signal))
  if (signal.aborted) return { ...nothing, moved }
  await store.sourceMaps.markApplied(settledMaps.map(({ id }) => id))
  return { moved, releases, isIncomplete: settledMaps.length < maps.length }
}
