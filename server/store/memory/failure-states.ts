import { groupBy } from '../common/group-by.ts'
import { acceptedMs } from '../common/time.ts'
import type { FailureStates, ScannedOccurrence } from '../failure-store.ts'
import { type FailureRecord, failureIdOf, type Memory, type Run } from './memory.ts'

const unresolved = { resolution: null, resolvedAfterId: 0, returned: null }

export function memoryFailureStates(memory: Memory, run: Run): FailureStates {
  const idOf = (fingerprint: string) => failureIdOf(memory, fingerprint)
  const markKnown = (fingerprints: readonly string[]) => {
    for (const fingerprint of fingerprints) {
      if (!memory.failureIds.has(fingerprint)) memory.failureIds.set(fingerprint, fingerprint)
    }
  }
  const setRecord = (id: string, record: FailureRecord) => {
    markKnown([id])
    memory.failures.set(idOf(id), record)
  }
  const execute = (work: () => void) => run(undefined, work)

  return {
    init: () =>
      execute(() => {
        if (memory.scannedId !== null) return
        markKnown(memory.events.flatMap(({ fingerprint }) => fingerprint ?? []))
        memory.scannedId = memory.lastId
      }),
    scan: limit =>
      run(undefined, () => {
        const afterId = memory.scannedId ?? memory.lastId
        const newer = memory.events.filter(({ id, fingerprint }) => id > afterId && fingerprint !== null)
        const isEnd = newer.length < limit
        const lastId = isEnd ? memory.lastId : (newer[limit - 1]?.id ?? afterId)
        const occurrences = newer.slice(0, limit).flatMap(event => {
          const { id, fingerprint, service, release } = event
          const isKnown = memory.failureIds.has(fingerprint ?? '')
          const failureId = idOf(fingerprint ?? '')
          const record = memory.failures.get(failureId)
          const isNewer = record?.state === 'resolved' && id > record.resolvedAfterId
          if (isKnown && !isNewer) return []
          const { source, digest, exception } = event
          const hasOnlyDigest = source === 'browser' && digest !== null && (exception?.stack ?? null) === null
          if (hasOnlyDigest && failureId !== fingerprint) return []
          const resolution = record?.resolution ?? null
          return [{ failureId, service, release, eventId: id, acceptedMs: acceptedMs(id), resolution }]
        })
        const groups = groupBy(occurrences, ({ failureId, service, release }) => [
          failureId,
          service,
          release,
        ])
        return { occurrences: groups.map(([first]): ScannedOccurrence => first), lastId, isEnd }
      }),
    commit: ({ known, returned, lastId }) =>
      execute(() => {
        markKnown(known)
        for (const { failureId, release, atMs, resolvedMs } of returned) {
          const id = idOf(failureId)
          const record = memory.failures.get(id)
          if (record?.state !== 'resolved' || record.resolution?.atMs !== resolvedMs) continue
          memory.failures.set(id, {
            ...record,
            state: 'open',
            stateMs: atMs,
            stateBy: null,
            returned: { release, atMs },
          })
        }
        memory.scannedId = lastId
      }),
    markKnown: fingerprints => execute(() => markKnown(fingerprints)),
    isKnown: fingerprint => run(undefined, () => memory.failureIds.has(fingerprint)),
    resolve: (id, resolution, by = null) =>
      execute(() => {
        const stateMs = resolution.atMs
        const resolvedAfterId = memory.lastId
        setRecord(id, {
          state: 'resolved',
          stateMs,
          stateBy: by,
          mutedUntilMs: null,
          resolution,
          resolvedAfterId,
          returned: null,
        })
      }),
    setState: (id, state, atMs, { untilMs = null, by = null } = {}) =>
      execute(() =>
        setRecord(id, { ...unresolved, state, stateMs: atMs, stateBy: by, mutedUntilMs: untilMs }),
      ),
    openDue: nowMs =>
      execute(() => {
        for (const [id, record] of memory.failures) {
          const { state, mutedUntilMs } = record
          if (state !== 'muted' || mutedUntilMs === null || mutedUntilMs > nowMs) continue
          memory.failures.set(id, {
            ...record,
            state: 'open',
            stateMs: mutedUntilMs,
            stateBy: null,
            mutedUntilMs: null,
          })
        }
      }),
    rememberStates: ids =>
      run(undefined, () => {
        const records = ids.map(id => ({ id, record: memory.failures.get(idOf(id)) }))
        return () =>
          execute(() => {
            for (const { id, record } of records) {
              if (record === undefined) memory.failures.delete(idOf(id))
              else setRecord(id, record)
            }
          })
      }),
    merge: (id, into) =>
      execute(() => {
        const from = idOf(id)
        const to = idOf(into)
        if (from === to) return
        markKnown([from, to])
        const mergedFrom = memory.mergedFrom.get(into)
        const record = memory.failures.get(from)
        if (record !== undefined && !memory.failures.has(to)) memory.failures.set(to, record)
        memory.failures.delete(from)
        for (const [fingerprint, failureId] of memory.failureIds) {
          if (failureId !== from) continue
          memory.failureIds.set(fingerprint, to)
          if (mergedFrom !== undefined && !memory.mergedFrom.has(fingerprint))
            memory.mergedFrom.set(fingerprint, mergedFrom)
        }
      }),
    notes: id =>
      run(undefined, () =>
        memory.notes
          .filter(note => idOf(note.failureId) === idOf(id))
          .sort((a, b) => b.writtenMs - a.writtenMs)
          .map(({ failureId: _, ...note }) => note),
      ),
    addNote: (id, note) => execute(() => void memory.notes.push({ ...note, failureId: idOf(id) })),
    removeNote: (id, noteId) =>
      execute(() => {
        memory.notes = memory.notes.filter(note => idOf(note.failureId) !== idOf(id) || note.id !== noteId)
      }),
  }
}
