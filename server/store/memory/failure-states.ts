import type { FailureStates } from '../failure-store.ts'
import { failureStatesOf } from '../state/failure-states.ts'
import type { AccessState } from '../state/state.ts'
import type { Memory } from './memory.ts'

export function memoryFailureStates(memory: Memory, access: AccessState): FailureStates {
  const after = (afterId: number) =>
    memory.events.flatMap(({ id, fingerprint, service, release }) =>
      id <= afterId || fingerprint === null ? [] : { id, fingerprint, service, release },
    )
  return failureStatesOf(access, access, {
    newestId: () => memory.lastId,
    newest: async () => [memory.lastId],
    fingerprints: async () => memory.events.flatMap(({ fingerprint }) => fingerprint ?? []),
    async occurrences([afterId = memory.lastId], upTo, limit) {
      const newer = after(afterId)
      const isEnd = newer.length < limit
      return {
        occurrences: newer.slice(0, limit),
        reached: isEnd ? upTo : [newer[limit - 1]?.id ?? 0],
        isEnd,
      }
    },
    occurrencesOf: async (fingerprints, afterId, [upToId = 0]) =>
      after(afterId).filter(({ id, fingerprint }) => id <= upToId && fingerprints.includes(fingerprint)),
  })
}
