import { compareText } from '../common/compare-text.ts'
import type { FailureRecord } from '../failure-record.ts'
import type { FailureStates } from '../failure-store.ts'
import { failureIdOf, markKnown } from './failure-ids.ts'
import { failureScanOf, resolutionIn, type ScanEvents } from './failure-scan.ts'
import type { AccessState, State } from './state.ts'

const unresolved = { resolution: null, resolvedAfterId: 0, returned: null }

/**
 * @param read runs work that may miss changes that other replicas have made since the last `Replicas.refresh`
 */
export function failureStatesOf(run: AccessState, read: AccessState, events: ScanEvents): FailureStates {
  return {
    ...failureScanOf(run, events),
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
          resolvedAfterId: events.newestId(),
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
    reopenDue: nowMs =>
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
    snapshotStates: ids =>
      run(state =>
        ids.map(given => {
          const id = failureIdOf(state, given)
          return { id, record: state.failures.get(id) ?? null }
        }),
      ),
    restoreStates: snapshot =>
      run(state => {
        for (const { id, record } of snapshot) {
          if (record === null) state.failures.delete(id)
          else state.failures.set(id, record)
        }
      }),
    merge: (id, into) => run(state => merge(state, id, into)),
    notes: id =>
      read(state =>
        [...state.notes.values()]
          .filter(note => isNoteOf(state, note, id))
          .sort((a, b) => b.writtenMs - a.writtenMs || compareText(a.id, b.id))
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

function setRecord(state: State, id: string, record: FailureRecord): void {
  markKnown(state, [id])
  state.failures.set(failureIdOf(state, id), record)
}

function merge(state: State, id: string, into: string): void {
  const { failures, failureIds, follows, mergedFrom } = state
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
    if (idBeforeMerge !== undefined && !mergedFrom.has(fingerprint) && !follows.has(fingerprint))
      mergedFrom.set(fingerprint, idBeforeMerge)
  }
}

function isNoteOf(state: State, note: { failureId: string }, id: string): boolean {
  return failureIdOf(state, note.failureId) === failureIdOf(state, id)
}
