import type { LogEvent } from '../../shared/event.ts'
import type { Logger } from '../logger.ts'
import { originOf } from '../source-maps/origin.ts'
import type { FailureStates, MappedBuild, NewFingerprint } from '../store/failure-store.ts'
import type { SourceMapHeader } from '../store/source-map-store.ts'
import type { Store } from '../store/store.ts'
import type { Identify } from './fingerprint-events.ts'

/** The newest of a release's stacks: those that are looked at. */
const mostStacks = 2000
/** An upload of many files is done once no more come for this long, or has come for long enough. */
const quietMs = 1000
const longestWaitMs = 30_000

export type ReidentifyOptions = {
  store: Pick<Store, 'sourceMaps' | 'storedStacks' | 'regroup' | 'event' | 'failureReleases'> & {
    failureStates: Pick<FailureStates, 'markKnown' | 'move'>
  }
  identify: Identify
  logger: Pick<Logger, 'error' | 'info'>
  waitMs?: number
}

/** Identifies the failures of kept events anew once source maps of their releases have come. */
export type Reidentify = {
  /** Maps have come. Resolves once it was looked what they change. */
  wake(): Promise<void>
  stop(): Promise<void>
}

/** The builds that maps were uploaded for, each once. */
function buildsOf(maps: readonly SourceMapHeader[]): MappedBuild[] {
  const builds = maps.map(({ service, release }) => ({ service, release }))
  return [...new Map(builds.map(build => [JSON.stringify(build), build])).values()]
}

/** Whether one of the maps may change the fingerprint of an event: one for its build, or with one of its debug ids. */
function mayConcern(maps: readonly SourceMapHeader[], event: LogEvent): boolean {
  const { service, release, debugIds } = originOf(event)
  const ids = new Set(debugIds.values())
  return maps.some(
    map =>
      (map.release === release && (map.service === null || map.service === service)) ||
      (map.debugId !== null && ids.has(map.debugId)),
  )
}

/** What the last process left undone is done at once. */
export function startReidentify({
  store,
  identify,
  logger,
  waitMs = quietMs,
}: ReidentifyOptions): Reidentify {
  let timer: NodeJS.Timeout | null = null
  let sinceMs = 0
  let told: (() => void)[] = []
  let stopped = false
  let working = work()

  async function work(): Promise<void> {
    // What is left is for the next start.
    if (stopped) return
    try {
      const { moved, releases } = await reidentify()
      if (moved > 0) logger.info({ events: moved, releases }, 'Identified failures by source maps')
    } catch (err) {
      logger.error({ err }, 'Failed to identify failures by source maps')
    }
  }

  async function reidentify() {
    const maps = (await store.sourceMaps.list()).filter(({ isApplied }) => !isApplied)
    const builds = buildsOf(maps)
    const releases = [...new Set(maps.map(({ release }) => release))]
    const identities: NewFingerprint[] = []
    const moves = new Map<string, string>()
    for (const { key, eventId } of await store.storedStacks(builds, mostStacks)) {
      if (stopped) return { moved: 0, releases }
      const event = await store.event(eventId)
      if (event === null || !mayConcern(maps, event)) continue
      const fingerprint = await identityOf(event)
      if (fingerprint === null || event.fingerprint === fingerprint) continue
      identities.push({ key, fingerprint })
      if (event.fingerprint !== null) moves.set(event.fingerprint, fingerprint)
    }
    const moved = identities.length === 0 ? 0 : await store.regroup(builds, identities)
    // What they were known as was told already: under the name that source maps give it is nothing new.
    await store.failureStates.markKnown([...new Set(moves.values())])
    for (const [from, to] of moves) {
      // Its other occurrences, of releases without maps, keep what people decided of it.
      if ((await store.failureReleases(from)).length === 0) await store.failureStates.move(from, to)
    }
    await store.sourceMaps.applied(maps.map(({ id }) => id))
    return { moved, releases }
  }

  async function identityOf(event: LogEvent): Promise<string | null> {
    const [identified] = (await identify([event])) ?? []
    return identified?.fingerprint ?? null
  }

  const begin = () => {
    timer = null
    const waiting = told
    told = []
    working = working.then(work).then(() => {
      for (const tell of waiting) tell()
    })
  }

  return {
    async wake() {
      if (stopped) return
      if (timer === null) sinceMs = performance.now()
      else clearTimeout(timer)
      const leftMs = sinceMs + longestWaitMs - performance.now()
      timer = setTimeout(begin, Math.max(0, Math.min(waitMs, leftMs)))
      await new Promise<void>(resolve => told.push(resolve))
    },
    async stop() {
      stopped = true
      if (timer !== null) {
        clearTimeout(timer)
        begin()
      }
      await working
    },
  }
}
