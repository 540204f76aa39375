import type { LogEvent } from '../../shared/event.ts'
import { buildInfoOf } from '../source-maps/build-info.ts'
import type { ManualGrouping } from '../store/failure-grouping.ts'
import type { FailureStates, MappedBuild, NewFingerprint } from '../store/failure-store.ts'
import type { SourceMapHeader } from '../store/source-map-store.ts'
import type { Store } from '../store/store.ts'
import type { FingerprintEvents } from './fingerprint-events.ts'

/** Maximum number of stacks to read. */
const maxStacks = 2000

export type RegroupingStore = Pick<
  Store,
  'sourceMaps' | 'storedStacks' | 'regroup' | 'fingerprintsAfterRegroup' | 'event'
> & {
  failureStates: Pick<FailureStates, 'markKnown' | 'isKnown' | 'merge'>
  manualGrouping: Pick<ManualGrouping, 'isSplit' | 'isMerged'>
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
 * @param settledMs maps that were uploaded later are not marked as applied, because events whose fingerprints were computed
 * without them may not be stored yet
 * @param signal aborts the work; the next call repeats it
 */
export async function applySourceMaps(
  store: RegroupingStore,
  fingerprintEvents: FingerprintEvents,
  settledMs: number,
  signal: AbortSignal,
): Promise<Applied> {
  const maps = (await store.sourceMaps.list()).filter(({ isApplied }) => !isApplied)
  const releases = [...new Set(maps.map(({ release }) => release))]
  const nothing = { moved: 0, releases, isIncomplete: false }
  if (maps.length === 0) return nothing
  const settledMaps = maps.filter(({ uploadedMs }) => uploadedMs <= settledMs)
  const builds = buildsOf(maps)
  const newFingerprints: NewFingerprint[] = []
  const replacements: Replacement[] = []
  const owners = new Map<string, string>()
  for (const { key, eventId } of await store.storedStacks(builds, maxStacks)) {
    if (signal.aborted) return nothing
    const event = await store.event(eventId)
    if (event === null || !mayApply(maps, event)) continue
    const [fingerprinted] = (await fingerprintEvents([event])) ?? []
    const fingerprint = fingerprinted?.fingerprint ?? null
    if (fingerprint === null || event.fingerprint === null || event.fingerprint === fingerprint) continue
    const owner = owners.get(fingerprint) ?? (await ownerOf(fingerprint, event.fingerprint, store))
    // Events that a user split off keep their fingerprint, because with the new one they would rejoin the failure.
    if (await store.manualGrouping.isSplit(event.fingerprint, owner)) continue
    owners.set(fingerprint, owner)
    newFingerprints.push({ key, fingerprint })
    replacements.push({ from: event.fingerprint, to: fingerprint })
  }
  const stillUsed = await store.fingerprintsAfterRegroup(builds, newFingerprints, [
    ...new Set(replacements.map(({ from }) => from)),
  ])
  // Change the failures before the events: if the process is killed after the first step, the next call repeats both.
  const unreported = await replaceKnown(replacements, stillUsed, store)
  const moved = newFingerprints.length === 0 ? 0 : await store.regroup(builds, newFingerprints)
  // Before the events changed, the failure monitor may have reported some unknown failures. It must not report them again.
  await replaceKnown(unreported, stillUsed, store)
  await store.sourceMaps.markApplied(settledMaps.map(({ id }) => id))
  return { moved, releases, isIncomplete: settledMaps.length < maps.length }
}

/** The fingerprints of an event before (`from`) and after (`to`) its stack is mapped. */
type Replacement = { from: string; to: string }

/** Returns the distinct builds that source maps belong to. */
function buildsOf(maps: readonly SourceMapHeader[]): MappedBuild[] {
  const builds = maps.map(({ service, release }) => ({ service, release }))
  return [...new Map(builds.map(build => [JSON.stringify(build), build])).values()]
}

/** Whether a source map may apply to an event, based on its build or debug ids. */
function mayApply(maps: readonly SourceMapHeader[], event: LogEvent): boolean {
  const { service, release, debugIds } = buildInfoOf(event)
  const ids = new Set(debugIds.values())
  return maps.some(
    map =>
      (map.release === release && (map.service === null || map.service === service)) ||
      (map.debugId !== null && ids.has(map.debugId)),
  )
}

/** Returns a fingerprint of the failure to which events with the new fingerprint will belong. */
async function ownerOf(
  fingerprint: string,
  replaced: string,
  { failureStates }: Pick<RegroupingStore, 'failureStates'>,
): Promise<string> {
  return (await failureStates.isKnown(fingerprint)) ? fingerprint : replaced
}

/**
 * Marks the new fingerprints of known failures as known. The events of an unknown failure must still be reported as new, so
 * their new fingerprint stays unknown.
 * @param stillUsed old fingerprints that some events keep
 * @returns the replacements that belong to unknown failures
 */
async function replaceKnown(
  replacements: readonly Replacement[],
  stillUsed: readonly string[],
  store: Pick<RegroupingStore, 'failureStates' | 'manualGrouping'>,
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
  { failureStates, manualGrouping }: Pick<RegroupingStore, 'failureStates' | 'manualGrouping'>,
): Promise<void> {
  for (const { from, to } of replacements) {
    if (!(await failureStates.isKnown(to)) && (await manualGrouping.isMerged(from)))
      await failureStates.merge(to, from)
  }
}

/** Merges the failure of `from` into the failure of `to`, or the other way round if `to` is unknown. */
async function replaceFingerprint(
  { from, to }: Replacement,
  { failureStates }: Pick<RegroupingStore, 'failureStates'>,
): Promise<void> {
  if (await failureStates.isKnown(to)) await failureStates.merge(from, to)
  else await failureStates.merge(to, from)
}
