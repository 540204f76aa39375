import { compareText } from '../common/compare-text.ts'
import type { FailureGrouping, NewSignature } from '../failure-grouping.ts'
import { failureIdOf, type Memory, newestFirst, type Run, stateOf } from './memory.ts'

export function memoryFailureGrouping(memory: Memory, run: Run): FailureGrouping {
  const newest = (a: NewSignature, b: NewSignature) =>
    b.seenMs - a.seenMs || compareText(a.fingerprint, b.fingerprint)
  const releasesOf = ({ fingerprint, service, release }: NewSignature) => {
    const stored = memory.events
      .filter(event => event.fingerprint === fingerprint && event.service === service)
      .map(event => event.release)
    return [...new Set([release, ...stored])].sort((a, b) => compareText(a ?? '', b ?? ''))
  }
  const sign = (signature: NewSignature) => {
    const { fingerprint, replaces } = signature
    const existing = memory.signatures.find(each => each.fingerprint === fingerprint)
    if (existing === undefined) memory.signatures.push({ ...signature })
    else existing.replaces = replaces
    if (replaces === null || memory.failureIds.has(fingerprint)) return
    memory.failureIds.set(fingerprint, failureIdOf(memory, replaces))
    const mergedFrom = memory.mergedFrom.get(replaces)
    if (mergedFrom !== undefined) memory.mergedFrom.set(fingerprint, mergedFrom)
  }
  const prune = (keep: number) => {
    const isOpen = ({ fingerprint }: NewSignature) => Number(stateOf(memory, fingerprint) === 'open')
    memory.signatures = memory.signatures.sort((a, b) => isOpen(a) - isOpen(b) || newest(a, b)).slice(0, keep)
  }
  return {
    unsigned: limit =>
      run(undefined, () => {
        const signed = new Set(memory.signatures.map(({ fingerprint }) => fingerprint))
        const found = new Map<string, number>()
        for (const { fingerprint, id } of [...memory.events].sort(newestFirst)) {
          if (fingerprint === null || signed.has(fingerprint) || found.has(fingerprint)) continue
          if (memory.failureIds.has(fingerprint)) found.set(fingerprint, id)
        }
        return [...found].slice(0, limit).map(([fingerprint, eventId]) => ({ fingerprint, eventId }))
      }),
    signatures: (filter, limit) =>
      run(undefined, () =>
        memory.signatures
          .filter(({ service }) => service === filter.service)
          .filter(({ subject }) => filter.subject === null || subject === filter.subject)
          .sort(newest)
          .slice(0, limit)
          .map(signature => ({
            fingerprint: signature.fingerprint,
            failureId: failureIdOf(memory, signature.fingerprint),
            subject: signature.subject,
            frames: [...signature.frames],
            releases: releasesOf(signature),
            isReplaced: memory.signatures.some(({ replaces }) => replaces === signature.fingerprint),
          })),
      ),
    sign: (signatures, keep) =>
      run(undefined, () => {
        for (const each of signatures) sign(each)
        prune(keep)
      }),
  }
}
