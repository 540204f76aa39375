import { digestCandidates } from '../../shared/digest-candidates.ts'
import { isOwnDigest } from '../../shared/digest-format.ts'
import type { Window } from '../../shared/range.ts'
import type { Store } from '../store/store.ts'
import { failuresOfDigest } from './failures-of-digest.ts'

/** The id of a failure, and the digest that led to it; `undefined` if its fingerprint did. */
export type FoundFailure = { failure: string; digest: string | undefined }

/** Finds the first digest or fingerprint of a failure in pasted text. Returns `null` if there is none. */
export async function failureInText(
  text: string,
  window: Window,
  store: Pick<Store, 'failuresOfDigest' | 'failureId' | 'failure'>,
  signal: AbortSignal,
): Promise<FoundFailure | null> {
  const found = await Promise.all(digestCandidates(text).map(({ digest }) => failureOf(digest)))
  return found.find(each => each !== null) ?? null

  async function failureOf(digest: string): Promise<FoundFailure | null> {
    const [first] = await failuresOfDigest(digest, store, signal)
    if (first !== undefined) return { failure: first, digest }
    // The text may contain the id of a failure whose events have no digest.
    return isOwnDigest(digest) ? failureWithFingerprint(digest.toLowerCase()) : null
  }

  async function failureWithFingerprint(fingerprint: string): Promise<FoundFailure | null> {
    const id = await store.failureId(fingerprint, signal)
    const failure = await store.failure(id, window.toMs - window.fromMs, window, signal)
    return failure && { failure: failure.id, digest: undefined }
  }
}
