import { groupBy } from '../common/group-by.ts'
import { readPosition, writePosition } from '../common/position.ts'
import { acceptedMs } from '../common/time.ts'
import type { FailureRecord } from '../failure-record.ts'
import type {
  FailureStates,
  Resolution,
  ScannedOccurrence,
  ScanResult,
  ServiceRelease,
} from '../failure-store.ts'
import { failureIdOf, fingerprintsOf, markKnown } from './failure-ids.ts'
import type { AccessState, State } from './state.ts'

/** What a scan needs to know about the stored events. Positions are lists of ids: see `writePosition`. */
export type ScanEvents = {
  /** The id of the newest event. */
  newestId(): number
  /** The position of the newest events. */
  newest(): Promise<readonly number[]>
  /** All fingerprints of stored events. */
  fingerprints(): Promise<string[]>
  /** Reads the occurrences between two positions, lowest ids first. */
  occurrences(after: readonly number[], upTo: readonly number[], limit: number): Promise<Examined>
  /**
   * Reads occurrences with ids after `afterId` up to a position, lowest ids first. May omit later ones that differ only in id.
   */
  occurrencesOf(
    fingerprints: readonly string[],
    afterId: number,
    upTo: readonly number[],
  ): Promise<ExaminedOccurrence[]>
}

export type Examined = {
  occurrences: ExaminedOccurrence[]
  /** The position up to which the occurrences were read. */
  reached: readonly number[]
  /** Whether there are no further occurrences. */
  isEnd: boolean
}

export type ExaminedOccurrence = ServiceRelease & {
  id: number
  fingerprint: string
}

export function failureScanOf(
  run: AccessState,
  events: ScanEvents,
): Pick<FailureStates, 'init' | 'scan' | 'commit' | 'occurrencesSinceResolved' | 'reopen'> {
  return {
    async init() {
      if (await run(({ progress }) => progress.has('failures'))) return
      const position = writePosition(await events.newest())
      const fingerprints = await events.fingerprints()
      await run(state => {
        if (state.progress.has('failures')) return
        markKnown(state, fingerprints)
        state.progress.set('failures', position)
      })
    },
    async scan(limit) {
      const upTo = await events.newest()
      const after = await run(({ progress }) => readPosition(progress.get('failures') ?? '') ?? upTo)
      const { occurrences, reached, isEnd } = await events.occurrences(after, upTo, limit)
      return {
        occurrences: await run(state => scannedOccurrences(state, occurrences)),
        position: writePosition(reached),
        isEnd,
      }
    },
    commit: ({ known, returned, position }) =>
      run(state => {
        markKnown(state, known)
        reopen(state, returned)
        state.progress.set('failures', position)
      }),
    async occurrencesSinceResolved(id) {
      const resolved = await run(state => {
        const failureId = failureIdOf(state, id)
        const record = state.failures.get(failureId)
        const upTo = readPosition(state.progress.get('failures') ?? '')
        return record?.state === 'resolved' && upTo !== null
          ? { fingerprints: fingerprintsOf(state, failureId), afterId: record.resolvedAfterId, upTo }
          : null
      })
      if (resolved === null) return []
      const { fingerprints, afterId, upTo } = resolved
      const occurrences = await events.occurrencesOf(fingerprints, afterId, upTo)
      return run(state => scannedOccurrences(state, occurrences))
    },
    reopen: returned => run(state => reopen(state, returned)),
  }
}

function reopen(state: State, returned: ScanResult['returned']): void {
  for (const { failureId, release, atMs, resolvedMs } of returned) {
    const id = failureIdOf(state, failureId)
    const record = state.failures.get(id)
    if (record === undefined || resolutionIn(record, resolvedMs) === null) continue
    state.failures.set(id, {
      ...record,
      state: 'open',
      stateMs: atMs,
      stateBy: null,
      returned: { release, atMs },
    })
  }
}

/** Returns the resolution of a failure if the one from `resolvedMs` is still in effect. */
export function resolutionIn(record: FailureRecord | undefined, resolvedMs: number): Resolution | null {
  return record?.state === 'resolved' && record.resolution?.atMs === resolvedMs ? record.resolution : null
}

/** Returns the occurrences of unknown and resolved failures: see `Scan`. */
function scannedOccurrences(state: State, examined: readonly ExaminedOccurrence[]): ScannedOccurrence[] {
  const occurrences = examined.flatMap(({ id, fingerprint, service, release }) => {
    const failureId = failureIdOf(state, fingerprint)
    const record = state.failures.get(failureId)
    const isNewer = record?.state === 'resolved' && id > record.resolvedAfterId
    const followed = state.follows.get(fingerprint) ?? null
    const isKnown = state.failureIds.has(followed === null ? fingerprint : failureId)
    if (isKnown && !isNewer) return []
    const resolution = record?.resolution ?? null
    return [{ failureId, followed, service, release, eventId: id, acceptedMs: acceptedMs(id), resolution }]
  })
  const groups = groupBy(occurrences, ({ failureId, followed, service, release }) => [
    failureId,
    followed,
    service,
    release,
  ])
  return groups.map(([first]) => first)
}
