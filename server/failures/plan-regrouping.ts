import type { LogEvent } from '../../shared/event.ts'
import { buildInfoOf } from '../source-maps/build-info.ts'
import type { ManualGrouping } from '../store/failure-grouping.ts'
import type { FailureStates, MappedBuild, NewFingerprint } from '../store/failure-store.ts'
import type { SourceMapHeader } from '../store/source-map-store.ts'
import type { Store } from '../store/store.ts'
import type { FingerprintEvents } from './fingerprint-events.ts'

/** Maximum number of stacks to read. */
const maxStacks = 2000

/** The part of the store that planning reads. */
export type PlanStore = Pick<Store, 'storedStacks' | 'fingerprintsAfterRegroup' | 'event'> & {
  failureStates: Pick<FailureStates, 'isKnown'>
  manualGrouping: Pick<ManualGrouping, 'isSplit'>
}

export type RegroupingPlan = {
  /** The builds whose events get new fingerprints. */
  builds: readonly MappedBuild[]
  newFingerprints: readonly NewFingerprint[]
  replacements: readonly Replacement[]
  /** The fingerprints of all mapped stacks, even of those that already have them. */
  mapped: readonly string[]
  /** Old fingerprints that some events keep. */
  stillUsed: readonly string[]
}

/** The fingerprints of an event before (`from`) and after (`to`) its stack is mapped. */
export type Replacement = { from: string; to: string }

/**
 * Determines which stored stacks get which fingerprint from these source maps. Changes nothing.
 * @returns `null` if the signal aborts
 */
export async function planRegrouping(
  store: PlanStore,
  maps: readonly SourceMapHeader[],
  fingerprintEvents: FingerprintEvents,
  signal: AbortSignal,
): Promise<RegroupingPlan | null> {
  const builds = buildsOf(maps)
  const newFingerprints: NewFingerprint[] = []
  const replacements: Replacement[] = []
  const mapped = new Set<string>()
  const owners = new Map<string, string>()
  for (const { key, eventId } of await store.storedStacks(builds, maxStacks)) {
    if (signal.aborted) return null
    const event = await store.event(eventId)
    if (event === null || !mayApply(maps, event)) continue
    const [fingerprinted] = (await fingerprintEvents([event])) ?? []
    const fingerprint = fingerprinted?.fingerprint ?? null
    if (fingerprint === null || event.fingerprint === null) continue
    mapped.add(fingerprint)
    if (event.fingerprint === fingerprint) continue
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
  return { builds, newFingerprints, replacements, mapped: [...mapped], stillUsed }
}

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
  { failureStates }: Pick<PlanStore, 'failureStates'>,
): Promise<string> {
  return (await failureStates.isKnown(fingerprint)) ? fingerprint : replaced
}
