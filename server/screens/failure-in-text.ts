import { digestCandidates } from '../../shared/digest-candidates.ts'
import { isOwnDigest } from '../../shared/digest-format.ts'
import type { FailureRow } from '../../shared/failure.ts'
import type { Window } from '../../shared/range.ts'
import type { Store } from '../store/store.ts'

/** The id of a failure, and the digest or fingerprint that led to it. */
export type FoundFailure = { failure: string; digest: string }

/** Finds the first digest or fingerprint of a failure in pasted text. Returns `null` if there is none. */
export async function failureInText(
  text: string,
  window: Window,
  store: Pick<Store, 'failuresOfDigest' | 'failureId' | 'failure'>,
  signal: AbortSignal,
): Promise<FoundFailure | null> {
  const found = await Promise.all(
    digestCandidates(text).map(async ({ digest }) => ({ digest, failure: await failureOf(digest) })),
  )
  for (const { digest, failure } of found) if (failure !== null) return { failure, digest }
  return null

  async function failureOf(digest: string): Promise<string | null> {
    const [newest] = await store.failuresOfDigest(digest, signal)
    if (newest !== undefined || !isOwnDigest(digest)) return newest ?? null
    // The text may contain the id of a failure whose events have no digest.
    return (await failureWithFingerprint(digest))?.id ?? null
  }

  async function failureWithFingerprint(fingerprint: string): Promise<FailureRow | null> {
    const id = await store.failureId(fingerprint, signal)
    return store.failure(id, window.toMs - window.fromMs, window, signal)
  }
}
