import { readPosition } from '../common/position.ts'
import type { FailureDigests, ScannedDigest } from '../failure-digests.ts'
import { failureIdOf } from './failure-ids.ts'
import type { AccessState } from './state.ts'

/** What `FailureDigests` needs to know about the stored events. Digests have no suffix. */
export type DigestEvents = {
  /** The distinct digests of occurrences between two positions. */
  scanned(after: readonly number[], upTo: readonly number[]): Promise<ScannedDigest[]>
  /** See `FailureDigests.serverFingerprints`. */
  serverFingerprints(digests: readonly string[]): Promise<{ digest: string; fingerprint: string }[]>
  /** Returns the fingerprints that have stored events. */
  stored(fingerprints: readonly string[]): Promise<string[]>
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
    async serverFingerprints(digests) {
      if (digests.length === 0) return new Map()
      const found = await events.serverFingerprints(digests)
      return new Map(found.map(({ digest, fingerprint }) => [digest, fingerprint]))
    },
    followed: fingerprints =>
      run(({ failureIds, follows }) => {
        const known = fingerprints.filter(fingerprint => failureIds.has(fingerprint))
        return new Map(known.map(fingerprint => [fingerprint, follows.get(fingerprint) ?? null]))
      }),
    follow: fingerprints =>
      run(state => {
        const { failureIds, follows } = state
        for (const [fingerprint, followed] of fingerprints) {
          if (failureIds.has(fingerprint) && !follows.has(fingerprint)) continue
          failureIds.set(fingerprint, failureIdOf(state, followed))
          follows.set(fingerprint, followed)
        }
      }),
    async forgetUnused() {
      const following = await run(({ follows }) => [...follows.keys()])
      if (following.length === 0) return
      const stored = new Set(await events.stored(following))
      await run(({ failureIds, follows }) => {
        for (const fingerprint of following) {
          if (stored.has(fingerprint)) continue
          failureIds.delete(fingerprint)
          follows.delete(fingerprint)
        }
      })
    },
  }
}
