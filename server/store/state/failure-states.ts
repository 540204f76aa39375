import { groupBy } from '../common/group-by.ts'
import { acceptedMs } from '../common/time.ts'
import type { FailureRecord } from '../failure-record.ts'
import type { FailureStates, Resolution, ScannedOccurrence, ServiceRelease } from '../failure-store.ts'
import { failureIdOf, markKnown } from './failure-ids.ts'
import type { AccessState, State } from './state.ts'

const unresolved = { resolution: null, resolvedAfterId: 0, returned: null }

/**
 * The methods of `FailureStates` that do not read events.
 * @param read runs work that may miss changes that other replicas have made since the last `Replicas.refresh`
 * @param newestId returns the id of the newest stored event
 */
export function failureStatesOf(
  run: AccessState,
  read: AccessState,
  newestId: () => number,
): Omit<FailureStates, 'init' | 'scan'> {
  return {
    commit: ({ known, returned, position }) =>
      run(state => {
        markKnown(state, known)
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
        state.progress.set('failures', position)
      }),
    markKnown: fingerprints => run(state => markKnown(state, fingerprints)),
    isKnown: fingerprint => run(({ failureIds }) => failureIds.has(fingerprint)),
    resolve: (id, resolution, by = null) =>
      run(state =>
        setRecord(state, id, {
          state: 'resolved',
          stateMs: resolution.atMs,
          stateBy: by,
          mutedUntilMs: null,
          resolution,
          resolvedAfterId: newestId(),
          returned: null,
        }),
      ),
    replaceOldReleases: (id, resolvedMs, oldReleases) =>
      run(state => {
        const record = state.failures.get(failureIdOf(state, id))
        const resolution = resolutionIn(record, resolvedMs)
        if (record === undefined || resolution === null) return
        setRecord(state, id, { ...record, resolution: { ...resolution, oldReleases: [...oldReleases] } })
      }),
    setState: (id, failureState, atMs, { untilMs = null, by = null } = {}) =>
      run(state =>
        setRecord(state, id, {
          ...unresolved,
          state: failureState,
          stateMs: atMs,
          stateBy: by,
          mutedUntilMs: untilMs,
        }),
      ),
    openDue: nowMs =>
      run(({ failures }) => {
        for (const [id, record] of failures) {
          const { state, mutedUntilMs } = record
          if (state !== 'muted' || mutedUntilMs === null || mutedUntilMs > nowMs) continue
          failures.set(id, {
            ...record,
            state: 'open',
            stateMs: mutedUntilMs,
            stateBy: null,
            mutedUntilMs: null,
          })
        }
      }),
    rememberStates: ids =>
      run(state =>
        ids.map(given => {
          const id = failureIdOf(state, given)
          return { id, record: state.failures.get(id) ?? null }
        }),
      ),
    restoreStates: remembered =>
      run(state => {
        for (const { id, record } of remembered) {
          if (record === null) state.failures.delete(id)
          else state.failures.set(id, record)
        }
      }),
    merge: (id, into) => run(state => merge(state, id, into)),
    notes: id =>
      read(state =>
        [...state.notes.values()]
          .filter(note => isNoteOf(state, note, id))
          .sort((a, b) => b.writtenMs - a.writtenMs)
          .map(({ failureId: _, ...note }) => note),
      ),
    addNote: (id, note) =>
      run(state => void state.notes.set(note.id, { ...note, failureId: failureIdOf(state, id) })),
    removeNote: (id, noteId) =>
      run(state => {
        const note = state.notes.get(noteId)
        if (note !== undefined && isNoteOf(state, note, id)) state.notes.delete(noteId)
      }),
  }
}

/** An occurrence that a scan examines. */
export type ExaminedOccurrence = ServiceRelease & {
  id: number
  fingerprint: string
  /** Whether a browser sent only the digest of the error. */
  hasOnlyDigest: boolean
}

/** Returns the occurrences of unknown and resolved failures: see `Scan`. */
export function scannedOccurrences(
  state: State,
  examined: readonly ExaminedOccurrence[],
): ScannedOccurrence[] {
  const occurrences = examined.flatMap(({ id, fingerprint, service, release, hasOnlyDigest }) => {
    const failureId = failureIdOf(state, fingerprint)
    const record = state.failures.get(failureId)
    const isNewer = record?.state === 'resolved' && id > record.resolvedAfterId
    if (state.failureIds.has(fingerprint) && !isNewer) return []
    if (hasOnlyDigest && failureId !== fingerprint) return []
    const resolution = record?.resolution ?? null
    return [{ failureId, service, release, eventId: id, acceptedMs: acceptedMs(id), resolution }]
  })
  const groups = groupBy(occurrences, ({ failureId, service, release }) => [failureId, service, release])
  return groups.map(([first]) => first)
}

/** Returns the resolution of a failure if the one from `resolvedMs` is still in effect. */
function resolutionIn(record: FailureRecord | undefined, resolvedMs: number): Resolution | null {
  return record?.state === 'resolved' && record.resolution?.atMs === resolvedMs ? record.resolution : null
}

function setRecord(state: State, id: string, record: FailureRecord): void {
  markKnown(state, [id])
  state.failures.set(failureIdOf(state, id), record)
}

function merge(state: State, id: string, into: string): void {
  const { failures, failureIds, mergedFrom } = state
  const from = failureIdOf(state, id)
  const to = failureIdOf(state, into)
  if (from === to) return
  markKnown(state, [from, to])
  const idBeforeMerge = mergedFrom.get(into)
  const record = failures.get(from)
  if (record !== undefined && !failures.has(to)) failures.set(to, record)
  failures.delete(from)
  for (const [fingerprint, failureId] of failureIds) {
    if (failureId !== from) continue
    failureIds.set(fingerprint, to)
    if (idBeforeMerge !== undefined && !mergedFrom.has(fingerprint))
      mergedFrom.set(fingerprint, idBeforeMerge)
  }
}

function isNoteOf(state: State, note: { failureId: string }, id: string): boolean {
  return failureIdOf(state, note.failureId) === failureIdOf(state, id)
}
