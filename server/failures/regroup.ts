import type { LogEvent } from '../../shared/event.ts'
import { createLeaderTask } from '../leader-task.ts'
import type { Logger } from '../logger.ts'
import { buildInfoOf } from '../source-maps/build-info.ts'
import type { ManualGrouping } from '../store/failure-grouping.ts'
import type { FailureStates, MappedBuild, NewFingerprint } from '../store/failure-store.ts'
import type { SourceMapHeader } from '../store/source-map-store.ts'
import type { Store } from '../store/store.ts'
import type { FingerprintEvents } from './fingerprint-events.ts'
import type { Signatures } from './signatures.ts'

/** Maximum number of stacks to read, newest first. */
const maxStacks = 2000
/** An upload of many files counts as complete when no file has arrived for this long, or after `maxWaitMs`. */
const defaultQuietMs = 1000
const maxWaitMs = 30_000

export type RegroupingOptions = {
  store: Pick<
    Store,
    'sourceMaps' | 'storedStacks' | 'regroup' | 'fingerprintsAfterRegroup' | 'event' | 'replicas'
  > & {
    failureStates: Pick<FailureStates, 'markKnown' | 'isKnown' | 'merge'>
    manualGrouping: Pick<ManualGrouping, 'isSplit' | 'isMerged'>
  }
  fingerprintEvents: FingerprintEvents
  signatures: Pick<Signatures, 'learn'>
  logger: Pick<Logger, 'error' | 'info'>
  quietMs?: number
  nowMs?: () => number
}

/** Updates the fingerprints of stored events after source maps for their releases are uploaded. */
export type Regrouping = {
  /** Call after an upload. Resolves when the changes are stored, or another replica has the lease and stores them. */
  wake(): Promise<void>
  stop(): Promise<void>
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

/** Starts regrouping, first with the source maps that the previous process did not apply. */
export function startRegrouping({
  store,
  fingerprintEvents,
  signatures,
  logger,
  quietMs = defaultQuietMs,
  nowMs = Date.now,
}: RegroupingOptions): Regrouping {
  let timer: NodeJS.Timeout | null = null
  let sinceMs = 0
  let waiting: (() => void)[] = []
  let isStopped = false

  const regroupTask = createLeaderTask({
    replicas: store.replicas,
    async run(signal) {
      const { moved, releases } = await regroupEvents(signal)
      if (moved > 0) await signatures.learn(signal)
      if (moved > 0) logger.info({ events: moved, releases }, 'Regrouped failures with uploaded source maps')
    },
    onError: err => logger.error({ err }, 'Failed to regroup failures with uploaded source maps'),
  })
  void regroupTask.wake()

  async function regroupEvents(signal: AbortSignal) {
    const maps = (await store.sourceMaps.list()).filter(({ isApplied }) => !isApplied)
    if (maps.length === 0) return { moved: 0, releases: [] }
    // Another replica may still store events without having seen the newest maps.
    const { delayMs } = store.replicas
    const settledMaps =
      delayMs === 0 ? maps : maps.filter(({ uploadedMs }) => uploadedMs <= nowMs() - delayMs)
    const builds = buildsOf(maps)
    const releases = [...new Set(maps.map(({ release }) => release))]
    const newFingerprints: NewFingerprint[] = []
    const moves = new Map<string, string>()
    const mappedFrom: { from: string; to: string }[] = []
    const owners = new Map<string, string>()
    for (const { key, eventId } of await store.storedStacks(builds, maxStacks)) {
      // The next start of the server continues regrouping.
      if (signal.aborted) return { moved: 0, releases }
      const event = await store.event(eventId)
      if (event === null || !mayApply(maps, event)) continue
      const fingerprint = await newFingerprintOf(event)
      if (fingerprint === null || event.fingerprint === null || event.fingerprint === fingerprint) continue
      const owner = owners.get(fingerprint) ?? (await ownerOf(fingerprint, event.fingerprint))
      // Events that a user split off keep their fingerprint, because with the new one they would rejoin the failure.
      if (await store.manualGrouping.isSplit(event.fingerprint, owner)) continue
      owners.set(fingerprint, owner)
      newFingerprints.push({ key, fingerprint })
      moves.set(event.fingerprint, fingerprint)
      mappedFrom.push({ from: event.fingerprint, to: fingerprint })
    }
    // Change the failures before the events: if the process is killed after the first step, the next start repeats both.
    const stillUsed = await store.fingerprintsAfterRegroup(builds, newFingerprints, [...moves.keys()])
    await keepMergesTogether(mappedFrom)
    for (const [from, to] of moves) await addFingerprint(to, from, stillUsed.includes(from))
    const moved = newFingerprints.length === 0 ? 0 : await store.regroup(builds, newFingerprints)
    await store.sourceMaps.markApplied(settledMaps.map(({ id }) => id))
    if (settledMaps.length < maps.length) regroupTask.wakeIn(delayMs)
    return { moved, releases }
  }

  /** Returns a fingerprint of the failure to which events with the new fingerprint will belong. */
  async function ownerOf(fingerprint: string, replaced: string): Promise<string> {
    return (await store.failureStates.isKnown(fingerprint)) ? fingerprint : replaced
  }

  /**
   * Keeps merged failures together, because users decided that all their events are one bug, even if their stacks are mapped
   * differently.
   */
  async function keepMergesTogether(mapped: readonly { from: string; to: string }[]): Promise<void> {
    const { failureStates, manualGrouping } = store
    for (const { from, to } of mapped) {
      if (!(await failureStates.isKnown(to)) && (await manualGrouping.isMerged(from)))
        await failureStates.merge(to, from)
    }
  }

  /**
   * Adds a fingerprint to the failure whose fingerprint it replaces. If events keep the old fingerprint, only marks the new
   * one as known.
   */
  async function addFingerprint(fingerprint: string, replaced: string, isStillUsed: boolean): Promise<void> {
    const { failureStates } = store
    if (isStillUsed) {
      // Events from releases without source maps keep the old fingerprint and therefore stay in their failure. Events with
      // the new fingerprint were already reported, so they are not a new failure.
      await failureStates.markKnown([fingerprint])
    } else if (await failureStates.isKnown(fingerprint)) await failureStates.merge(replaced, fingerprint)
    else await failureStates.merge(fingerprint, replaced)
  }

  async function newFingerprintOf(event: LogEvent): Promise<string | null> {
    const [fingerprinted] = (await fingerprintEvents([event])) ?? []
    return fingerprinted?.fingerprint ?? null
  }

  const flush = async () => {
    timer = null
    const resolves = waiting
    waiting = []
    await regroupTask.wake()
    for (const resolve of resolves) resolve()
  }

  return {
    async wake() {
      if (isStopped) return
      if (timer === null) sinceMs = performance.now()
      else clearTimeout(timer)
      const leftMs = sinceMs + maxWaitMs - performance.now()
      timer = setTimeout(() => void flush(), Math.max(0, Math.min(quietMs, leftMs)))
      await new Promise<void>(resolve => waiting.push(resolve))
    },
    async stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      await regroupTask.stop()
      await flush()
    },
  }
}
