import type { FailureDigests } from '../failure-digests.ts'
import { failureIdOf } from './failure-ids.ts'
import type { AccessState } from './state.ts'

/** The methods of `FailureDigests` that do not read events. */
export function failureDigestsOf(run: AccessState): Pick<FailureDigests, 'failureIds' | 'add'> {
  return {
    failureIds: fingerprints =>
      run(({ failureIds }) => {
        const known = fingerprints.flatMap(fingerprint => {
          const id = failureIds.get(fingerprint)
          return id === undefined ? [] : [[fingerprint, id] as const]
        })
        return new Map(known)
      }),
    add: (fingerprint, id) =>
      run(state => {
        if (!state.failureIds.has(fingerprint)) state.failureIds.set(fingerprint, failureIdOf(state, id))
      }),
  }
}
