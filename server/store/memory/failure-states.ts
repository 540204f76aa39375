import { acceptedMs } from '../common/time.ts'
import type { FailureStates, ScannedOccurrence } from '../failure-store.ts'
import { type FailureRecord, groupBy, type Memory, type Run } from './memory.ts'

const open: FailureRecord = {
  state: 'open',
  stateMs: null,
  resolution: null,
  resolvedAfterId: 0,
  returned: null,
}

export function memoryFailureStates(memory: Memory, run: Run): FailureStates {
  const markKnown = (fingerprints: readonly string[]) => {
    for (const fingerprint of fingerprints) {
      if (!memory.failures.has(fingerprint)) memory.failures.set(fingerprint, open)
    }
  }
  const change = (work: () => void) => run(undefined, work)

  return {
    init: () =>
      change(() => {
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
        const found = newer.slice(0, limit).flatMap(({ id, fingerprint, service, release }) => {
          const record = memory.failures.get(fingerprint ?? '')
          const isNewer = record?.state === 'resolved' && id > record.resolvedAfterId
          if (record !== undefined && !isNewer) return []
          const resolution = record?.resolution ?? null
          return [
            { fingerprint: fingerprint ?? '', service, release, acceptedMs: acceptedMs(id), resolution },
          ]
        })
        const groups = groupBy(found, ({ fingerprint, service, release }) => [fingerprint, service, release])
        return { occurrences: groups.map(([first]): ScannedOccurrence => first), lastId, isEnd }
      }),
    commit: ({ known, returned, lastId }) =>
      change(() => {
        markKnown(known)
        for (const { fingerprint, release, atMs, resolvedMs } of returned) {
          const record = memory.failures.get(fingerprint)
          if (record?.state !== 'resolved' || record.resolution?.atMs !== resolvedMs) continue
          memory.failures.set(fingerprint, {
            ...record,
            state: 'open',
            stateMs: atMs,
            returned: { release, atMs },
          })
        }
        memory.scannedId = lastId
      }),
    markKnown: fingerprints => change(() => markKnown(fingerprints)),
    resolve: (fingerprint, resolution) =>
      change(() => {
        const { atMs } = resolution
        const resolvedAfterId = memory.lastId
        memory.failures.set(fingerprint, {
          ...open,
          state: 'resolved',
          stateMs: atMs,
          resolution,
          resolvedAfterId,
        })
      }),
    setState: (fingerprint, state, atMs) =>
      change(() => {
        memory.failures.set(fingerprint, { ...open, state, stateMs: atMs })
      }),
    move: (from, to) =>
      change(() => {
        const record = memory.failures.get(from)
        const target = memory.failures.get(to)
        if (record !== undefined && (target?.stateMs ?? null) === null) memory.failures.set(to, record)
        memory.notes = memory.notes.map(note =>
          note.fingerprint === from ? { ...note, fingerprint: to } : note,
        )
        memory.moves.delete(to)
        for (const [source, target] of memory.moves) if (target === from) memory.moves.set(source, to)
        memory.moves.set(from, to)
      }),
    movedTo: fingerprint => run(undefined, () => memory.moves.get(fingerprint) ?? null),
    notes: fingerprint =>
      run(undefined, () =>
        memory.notes
          .filter(note => note.fingerprint === fingerprint)
          .sort((a, b) => b.writtenMs - a.writtenMs)
          .map(({ fingerprint: _, ...note }) => note),
      ),
    addNote: (fingerprint, note) => change(() => void memory.notes.push({ ...note, fingerprint })),
    removeNote: (fingerprint, id) =>
      change(() => {
        memory.notes = memory.notes.filter(note => note.fingerprint !== fingerprint || note.id !== id)
      }),
  }
}
