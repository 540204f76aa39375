import { digestCandidates } from '../../shared/digest-candidates.ts'
import { isOwnDigest } from '../../shared/digest-format.ts'
import { dayMs } from '../../shared/duration-units.ts'
import { errorIdNames } from '../../shared/field-names.ts'
import type { Query } from '../../shared/query.ts'
import type { Window } from '../../shared/range.ts'
import type { Store } from '../store/store.ts'
import { failuresOfDigest } from './failures-of-digest.ts'
import type { ScreenRequest } from './screen.ts'

/** The id of a failure, and the digest that led to it; `undefined` if its fingerprint did. */
export type FoundFailure = { failure: string; digest: string | undefined }

/**
 * Finds the first digest or fingerprint of a failure in pasted text, or else an error id in the attributes of a failure.
 * Returns `null` if there is none.
 */
export async function failureInText(
  text: string,
  window: Window,
  store: Pick<Store, 'events' | 'failuresOfDigest' | 'failureId' | 'failure'>,
  { nowMs, signal }: Pick<ScreenRequest, 'nowMs' | 'signal'>,
): Promise<FoundFailure | null> {
  const digests = digestCandidates(text).map(({ digest }) => digest)
  const found = await Promise.all(digests.map(failureOf))
  return found.find(each => each !== null) ?? failureWithErrorId(digests.filter(mayBeErrorId))

  async function failureOf(digest: string): Promise<FoundFailure | null> {
    const [first] = await failuresOfDigest(digest, store, signal)
    if (first !== undefined) return { failure: first, digest }
    // The text may contain the id of a failure whose events have no digest.
    return isOwnDigest(digest) ? failureWithFingerprint(digest.toLowerCase()) : null
  }

  /** An event has only one digest, so the other ids on its error page are only attributes. */
  async function failureWithErrorId(ids: readonly string[]): Promise<FoundFailure | null> {
    if (ids.length === 0) return null
    const query: Query = {
      kind: 'and',
      left: { kind: 'exists', field: 'fingerprint' },
      right: hasErrorId(ids),
    }
    const search = { window: { fromMs: 0, toMs: nowMs + dayMs }, query, limit: 1 }
    const [event] = (await store.events(search, signal)).events
    return event === undefined || event.fingerprint === null
      ? null
      : failureWithFingerprint(event.fingerprint)
  }

  async function failureWithFingerprint(fingerprint: string): Promise<FoundFailure | null> {
    const id = await store.failureId(fingerprint, signal)
    const failure = await store.failure(id, window.toMs - window.fromMs, window, signal)
    return failure && { failure: failure.id, digest: undefined }
  }
}

/** Most other words have no digit or are short, and need no further query. */
function mayBeErrorId(word: string): boolean {
  return word.length >= 6 && /\d/.test(word)
}

function hasErrorId(ids: readonly string[]): Query {
  return ids
    .flatMap(value =>
      errorIdNames.flat().map((path): Query => {
        return { kind: 'attribute', path, comparison: '=', value, literal: true }
      }),
    )
    .reduce((left, right) => ({ kind: 'or', left, right }))
}
