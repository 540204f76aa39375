import type { ManualGrouping } from '../store/failure-grouping.ts'
import type { FailureStates } from '../store/failure-store.ts'
import type { Store } from '../store/store.ts'
import type { RegroupingPlan, Replacement } from './plan-regrouping.ts'
import { reopenIfReturned } from './reopen-if-returned.ts'

/** The part of the store that changes. */
export type RegroupStore = Pick<Store, 'regroup'> & {
  failureStates: Pick<
    FailureStates,
    'markKnown' | 'isKnown' | 'merge' | 'snapshotStates' | 'occurrencesSinceResolved' | 'reopen'
  >
  manualGrouping: Pick<ManualGrouping, 'isMerged'>
}

/**
 * Stores the new fingerprints. Must not run between a scan of the failure monitor and its commit, or the monitor would
 * report the events under their old fingerprints. The process may be killed at any time: the next plan repeats the first
 * two steps if either was interrupted, and every plan repeats the last one.
 * @param signal stops before the first step or during the last one
 * @returns the number of events with a new fingerprint
 */
export async function applyRegrouping(
  { builds, newFingerprints, replacements, mapped, stillUsed }: RegroupingPlan,
  store: RegroupStore,
  signal: AbortSignal,
): Promise<number> {
  if (signal.aborted) return 0
  // First, because otherwise the monitor would report the events of known failures as new failures.
  const unreported = await replaceKnown(replacements, stillUsed, store)
  const moved = newFingerprints.length === 0 ? 0 : await store.regroup(builds, newFingerprints)
  // Users may have changed the states of unknown failures in the meantime, so these failures are known now.
  await replaceKnown(unreported, stillUsed, store)
  // The monitor has reported newer occurrences under their old fingerprint, and does not scan them again.
  await reopenReturned(mapped, store, signal)
  return moved
}

/** Reopens the resolved failures of fingerprints that have returned. */
async function reopenReturned(
  fingerprints: readonly string[],
  { failureStates }: Pick<RegroupStore, 'failureStates'>,
  signal: AbortSignal,
): Promise<void> {
  const states = await failureStates.snapshotStates(fingerprints)
  const resolved = states.filter(({ record }) => record?.state === 'resolved')
  for (const id of new Set(resolved.map(({ id }) => id))) {
    if (signal.aborted) return
    await reopenIfReturned(id, failureStates)
  }
}

/**
 * Marks the new fingerprints of known failures as known. The events of an unknown failure must still be reported as new, so
 * their new fingerprint stays unknown.
 * @returns the replacements that belong to unknown failures
 */
async function replaceKnown(
  replacements: readonly Replacement[],
  stillUsed: readonly string[],
  store: Pick<RegroupStore, 'failureStates' | 'manualGrouping'>,
): Promise<Replacement[]> {
  const moves = new Map(replacements.map(({ from, to }) => [from, to]))
  for (const from of moves.keys()) if (!(await store.failureStates.isKnown(from))) moves.delete(from)
  const known = replacements.filter(({ from }) => moves.has(from))
  await keepMergesTogether(known, store)
  for (const [from, to] of moves) {
    // Events from releases without source maps keep the old fingerprint and therefore stay in their failure.
    if (!stillUsed.includes(from)) await replaceFingerprint({ from, to }, store)
  }
  // Events whose new fingerprint belongs to no failure were already reported, so they are not a new failure.
  await store.failureStates.markKnown(known.map(({ to }) => to))
  return replacements.filter(({ from }) => !moves.has(from))
}

/**
 * Keeps merged failures together, even if their stacks are mapped differently, because a user decided that they are one bug.
 */
async function keepMergesTogether(
  replacements: readonly Replacement[],
  { failureStates, manualGrouping }: Pick<RegroupStore, 'failureStates' | 'manualGrouping'>,
): Promise<void> {
  for (const { from, to } of replacements) {
    if (!(await failureStates.isKnown(to)) && (await manualGrouping.isMerged(from)))
      await failureStates.merge(to, from)
  }
}

/** Merges the failure of `from` into the failure of `to`, or the other way round if `to` is unknown. */
async function replaceFingerprint(
  { from, to }: Replacement,
  { failureStates }: Pick<RegroupStore, 'failureStates'>,
): Promise<void> {
  if (await failureStates.isKnown(to)) await failureStates.merge(from, to)
  else await failureStates.merge(to, from)
}
