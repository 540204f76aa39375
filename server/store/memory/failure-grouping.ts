import type { FailureGrouping, NewSignature } from '../failure-grouping.ts'
import { describeSignature, findSignatures, signOf } from '../state/failure-grouping.ts'
import type { AccessState } from '../state/state.ts'
import { type Memory, newestFirst } from './memory.ts'

export function memoryFailureGrouping(memory: Memory, access: AccessState): FailureGrouping {
  const releasesOf = ({ fingerprint, service }: NewSignature) =>
    memory.events
      .filter(event => event.fingerprint === fingerprint && event.service === service)
      .map(({ release }) => release)
  return {
    ...signOf(access),
    unsigned: limit =>
      access(({ failureIds, signatures }) => {
        const found = new Map<string, number>()
        for (const { fingerprint, id } of [...memory.events].sort(newestFirst)) {
          if (fingerprint === null || signatures.has(fingerprint) || found.has(fingerprint)) continue
          if (failureIds.has(fingerprint)) found.set(fingerprint, id)
        }
        return [...found].slice(0, limit).map(([fingerprint, eventId]) => ({ fingerprint, eventId }))
      }),
    signatures: (filter, limit) =>
      access(state =>
        findSignatures(state, filter, limit).map(each => describeSignature(state, each, releasesOf(each))),
      ),
  }
}
