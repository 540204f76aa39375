import type { FailureGrouping } from '../failure-grouping.ts'
import { failureGroupingOf } from '../state/failure-grouping.ts'
import type { AccessState } from '../state/state.ts'
import { type Memory, newestFirst } from './memory.ts'

export function memoryFailureGrouping(memory: Memory, access: AccessState): FailureGrouping {
  return failureGroupingOf(access, {
    async newest(fingerprints, limit) {
      const found = new Map<string, number>()
      for (const { fingerprint, id } of [...memory.events].sort(newestFirst)) {
        if (fingerprint === null || found.has(fingerprint) || !fingerprints.includes(fingerprint)) continue
        found.set(fingerprint, id)
      }
      return [...found].slice(0, limit).map(([fingerprint, eventId]) => ({ fingerprint, eventId }))
    },
    releases: async (service, fingerprints) =>
      memory.events.flatMap(({ fingerprint, release, service: each }) =>
        each === service && fingerprint !== null && fingerprints.includes(fingerprint)
          ? { fingerprint, release }
          : [],
      ),
  })
}
