import { dayMs } from '../../../shared/duration-units.ts'
import type { FailureRow } from '../../../shared/failure.ts'
import { paths } from '../../../shared/paths.ts'
import { fieldEquals, withTerm } from '../../../shared/query.ts'
import type { Window } from '../../../shared/range.ts'
import type { Store } from '../../store/store.ts'
import type { ScreenRequest } from '../screen.ts'
import { digestCandidates } from './digest-candidates.ts'
import { isOwnDigest, looksLikeDigest } from './digest-format.ts'

/** A trace id, alone or in a `traceparent` header (https://www.w3.org/TR/trace-context/#traceparent-header). */
const traceId = /^(?:[\da-f]{2}-)?([\da-f]{32})(?:-[\da-f]{16}-[\da-f]{2})?$/i
/** Text that may be a request id: one word with a digit. */
const requestId = /^(?=[^\s]*\d)[\w./+-]{6,100}$/
/** Time before and after the event, to include the rest of its request or trace. */
const aroundMs = 3_600_000

/**
 * Finds the first digest or fingerprint of a failure in pasted text. Returns the failure's id and that digest or fingerprint;
 * `null` if there is none.
 */
export async function failureInText(
  text: string,
  window: Window,
  store: Pick<Store, 'failuresOfDigest' | 'failureId' | 'failure'>,
  signal: AbortSignal,
): Promise<{ failure: string; digest: string } | null> {
  const found = await Promise.all(
    digestCandidates(text).map(async ({ digest }) => ({ digest, failure: await failureOf(digest) })),
  )
  for (const { digest, failure } of found) if (failure !== null) return { failure, digest }
  return null

  async function failureOf(digest: string): Promise<string | null> {
    const [newest] = await store.failuresOfDigest(digest, signal)
    if (newest !== undefined || !isOwnDigest(digest)) return newest ?? null
    // If a failure's events have no digest, its page shows the failure id instead.
    return (await failureWithFingerprint(digest))?.id ?? null
  }

  async function failureWithFingerprint(fingerprint: string): Promise<FailureRow | null> {
    const id = await store.failureId(fingerprint, signal)
    return store.failure(id, window.toMs - window.fromMs, window, signal)
  }
}

/** Returns the first candidate in pasted text if it is certainly a digest, even if no event has it; otherwise `null`. */
export function unknownDigestIn(text: string): string | null {
  const [first] = digestCandidates(text)
  return first?.isLabelled && looksLikeDigest(first.digest) ? first.digest : null
}

/**
 * Returns the URL that shows all events of a pasted trace or request id, regardless of the selected range. Returns `null`
 * for other text, or if no stored event has the id.
 */
export async function hrefOfPastedId(
  text: string,
  { nowMs, signal }: ScreenRequest,
  store: Pick<Store, 'events'>,
): Promise<string | null> {
  const trace = traceId.exec(text)?.[1]?.toLowerCase()
  const field =
    trace !== undefined ? 'trace' : requestId.test(text) && !looksLikeDigest(text) ? 'request' : null
  if (field === null) return null
  const value = trace ?? text
  const query = fieldEquals(field, value)
  const window = { fromMs: 0, toMs: nowMs + dayMs }
  const [event] = (await store.events({ window, query, limit: 1 }, signal)).events
  if (event === undefined) return null
  const timeMs = Math.round(event.timeMs)
  return paths.activities({
    q: withTerm('', field, value),
    range: { fromMs: timeMs - aroundMs, toMs: timeMs + aroundMs },
  })
}
