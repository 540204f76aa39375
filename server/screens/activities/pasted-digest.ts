import type { Window } from '../../../shared/range.ts'
import type { Store } from '../../store/store.ts'

/** What may be a digest at all: one word that is no field's term. */
const oneWord = /^[A-Za-z0-9@._-]{4,40}$/
/** Sixpane's own, which is a fingerprint too. */
const ownDigest = /^[0-9a-f]{10}$/
/** Next.js: a 32-bit decimal, with the code of the framework's own errors behind it since 15.5. */
const nextDigest = /^\d{6,10}(@E\w+)?$/

/**
 * The digest in what was copied from a failure page: itself, or behind the word that stands before it there
 * (`Digest: 2338471`, `Application error … Digest: 2338471`, since Next.js 16 `ERROR 2338471`).
 */
export function digestIn(text: string): string {
  const [, label, number] =
    /(?:^|\s)(?:digest:\s+["']?([\w@.-]{4,40}?)["'.,]?|ERROR (\d{5,10}(?:@E\d+)?))$/i.exec(text) ?? []
  return label ?? number ?? text
}

/** Whether a search that finds nothing was most likely meant as a digest. */
export function looksLikeDigest(text: string): boolean {
  return ownDigest.test(text) || nextDigest.test(text)
}

/** The fingerprint of the failure that a pasted digest or fingerprint belongs to, or `null`. */
export async function failureOfDigest(
  text: string,
  window: Window,
  store: Pick<Store, 'fingerprintOfDigest' | 'failure'>,
  signal: AbortSignal,
): Promise<string | null> {
  if (!oneWord.test(text)) return null
  const found = await store.fingerprintOfDigest(text, signal)
  if (found !== null || !ownDigest.test(text)) return found
  // A failure whose events brought no digest shows its fingerprint in that place.
  const failure = await store.failure(text, window.toMs - window.fromMs, window, signal)
  return failure?.fingerprint ?? null
}
