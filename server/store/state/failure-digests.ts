import { readPosition } from '../common/position.ts'
import type { FailureDigests, ScannedDigest } from '../failure-digests.ts'
import { failureIdOf } from './failure-ids.ts'
import type { AccessState } from './state.ts'

/** What `FailureDigests` needs to know about the stored events. Digests have no suffix. */
export type DigestEvents = {
  /** The distinct digests of occurrences between two positions. */
  scanned(after: readonly number[], upTo: readonly number[]): Promise<ScannedDigest[]>
  /** The fingerprint of each digest's occurrence in `FailureDigests.serverFailures`. */
  serverFingerprints(digests: readonly string[]): Promise<{ digest: string; fingerprint: string }[]>
}

export function failureDigestsOf(run: AccessState, events: DigestEvents): FailureDigests {
  return {
    async scanned(position) {
      const upTo = readPosition(position) ?? [0]
      return events.scanned(
        await run(({ progress }) => readPosition(progress.get('failures') ?? '') ?? upTo),
        upTo,
      )
    },
    async serverFailures(digests) {
      if (digests.length === 0) return new Map()
      const found = await events.serverFingerprints(digests)
      return run(
        state => new Map(found.map(({ digest, fingerprint }) => [digest, failureIdOf(state, fingerprint)])),
      )
    },
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
