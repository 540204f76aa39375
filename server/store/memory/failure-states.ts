import { readPosition, writePosition } from '../common/position.ts'
import type { FailureStates } from '../failure-store.ts'
import { markKnown } from '../state/failure-ids.ts'
import { failureStatesOf, scannedOccurrences } from '../state/failure-states.ts'
import type { AccessState } from '../state/state.ts'
import type { Memory } from './memory.ts'

export function memoryFailureStates(memory: Memory, access: AccessState): FailureStates {
  return {
    ...failureStatesOf(access, access, () => memory.lastId),
    init: () =>
      access(state => {
        if (state.progress.has('failures')) return
        markKnown(
          state,
          memory.events.flatMap(({ fingerprint }) => fingerprint ?? []),
        )
        state.progress.set('failures', writePosition([memory.lastId]))
      }),
    scan: limit =>
      access(state => {
        const [afterId = memory.lastId] = readPosition(state.progress.get('failures') ?? '') ?? []
        const newer = memory.events.flatMap(
          ({ id, fingerprint, service, release, source, digest, exception }) => {
            if (id <= afterId || fingerprint === null) return []
            const hasOnlyDigest =
              source === 'browser' && digest !== null && (exception?.stack ?? null) === null
            return { id, fingerprint, service, release, hasOnlyDigest }
          },
        )
        const isEnd = newer.length < limit
        const lastId = isEnd ? memory.lastId : (newer[limit - 1]?.id ?? afterId)
        return {
          occurrences: scannedOccurrences(state, newer.slice(0, limit)),
          position: writePosition([lastId]),
          isEnd,
        }
      }),
  }
}
