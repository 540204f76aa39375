import { cut } from '../common/cut.ts'
import { splitPart } from '../common/split-part.ts'
import type { ManualGrouping } from '../failure-grouping.ts'
import { failureIdOf, type Memory, newestFirst, type Run } from './memory.ts'

const maxReleases = 5

export function memoryManualGrouping(memory: Memory, run: Run): ManualGrouping {
  const idOf = (fingerprint: string) => failureIdOf(memory, fingerprint)
  const markKnown = (id: string) => memory.failureIds.set(id, idOf(id))
  const isSplit = (id: string, otherId: string) => (pair: readonly [string, string]) => {
    const [one, other] = pair.map(idOf)
    return (one === id && other === otherId) || (one === otherId && other === id)
  }
  const eventsOf = (fingerprint: string) =>
    memory.events.filter(event => event.fingerprint === fingerprint).sort(newestFirst)
  const storedOf = (id: string) => {
    const all = memory.events.flatMap(({ fingerprint }) => fingerprint ?? [])
    return new Set(all.filter(fingerprint => idOf(fingerprint) === id))
  }
  const describe = (fingerprint: string) => {
    const events = eventsOf(fingerprint)
    const [newest] = events
    if (newest === undefined) return []
    const releases = [...new Set(events.flatMap(({ release }) => release ?? []))]
    const signature = memory.signatures.find(each => each.fingerprint === fingerprint)
    return {
      newest,
      row: {
        fingerprint,
        type: newest.exception?.type ?? 'Error',
        message: cut(newest.exception?.message ?? newest.body),
        topFrame: signature?.frames[0] ?? null,
        count: events.length,
        releases: releases.slice(0, maxReleases),
        releaseCount: releases.length,
        lastSeenMs: newest.timeMs,
      },
    }
  }
  return {
    fingerprints: (id, limit, signal) =>
      run(signal, () => {
        const failureId = idOf(id)
        const others = [...memory.failureIds].filter(
          ([each]) => each !== failureId && idOf(each) === failureId,
        )
        if (others.length === 0) return []
        return [...storedOf(failureId)]
          .flatMap(describe)
          .sort((a, b) => newestFirst(a.newest, b.newest))
          .slice(0, limit)
          .map(({ row }) => row)
      }),
    merge: (id, into) =>
      run(undefined, () => {
        const [from, to] = [idOf(id), idOf(into)]
        if (from === to) return
        markKnown(from)
        markKnown(to)
        const isBetween = isSplit(from, to)
        memory.splits = memory.splits.filter(pair => !isBetween(pair))
        for (const [fingerprint, failureId] of memory.failureIds) {
          if (failureId !== from) continue
          memory.failureIds.set(fingerprint, to)
          memory.mergedFrom.set(fingerprint, memory.mergedFrom.get(fingerprint) ?? from)
        }
      }),
    split: fingerprint =>
      run(undefined, () => {
        const failureId = idOf(fingerprint)
        const stored = storedOf(failureId)
        if (failureId === fingerprint || !stored.has(fingerprint) || stored.size < 2) return null
        const others = [...memory.failureIds].filter(([other, id]) => id === failureId && other !== failureId)
        const mergedFrom = new Map(others.map(([other]) => [other, memory.mergedFrom.get(other) ?? null]))
        const part = splitPart(fingerprint, mergedFrom, stored)
        markKnown(failureId)
        for (const each of part.fingerprints) {
          memory.failureIds.set(each, part.id)
          memory.mergedFrom.delete(each)
        }
        for (const signature of memory.signatures) {
          if (part.fingerprints.includes(signature.fingerprint)) signature.replaces = null
        }
        memory.splits.push([part.id, failureId])
        return part.id
      }),
    isSplit: (a, b) => run(undefined, () => memory.splits.some(isSplit(idOf(a), idOf(b)))),
    isMerged: fingerprint =>
      run(undefined, () => [...memory.mergedFrom.keys()].some(each => idOf(each) === idOf(fingerprint))),
  }
}
