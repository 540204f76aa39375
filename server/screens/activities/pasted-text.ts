import type { FailureRow } from '../../../shared/failure.ts'
import { paths } from '../../../shared/paths.ts'
import { fieldEquals, withTerm } from '../../../shared/query.ts'
import type { Window } from '../../../shared/range.ts'
import type { Store } from '../../store/store.ts'
import type { ScreenRequest } from '../screen.ts'

/** Text that may be a digest: one word without a field name. */
const oneWord = /^[A-Za-z0-9@._-]{4,40}$/
/** A Sixpane digest, which is also the fingerprint. */
const ownDigest = /^[0-9a-f]{10}$/
/** A Next.js digest: a 32-bit decimal number. Since 15.5, digests of framework errors also contain an error code. */
const nextDigest = /^\d{6,10}(@E\w+)?$/

/** A trace id, alone or in a `traceparent` header (https://www.w3.org/TR/trace-context/#traceparent-header). */
const traceId = /^(?:[\da-f]{2}-)?([\da-f]{32})(?:-[\da-f]{16}-[\da-f]{2})?$/i
/** Text that may be a request id: one word with a digit. */
const requestId = /^(?=[^\s]*\d)[\w./+-]{6,100}$/
/** Time before and after the event, to include the rest of its request or trace. */
const aroundMs = 3_600_000
const dayMs = 86_400_000

/**
 * Characters around a digest in chats and tickets, including invisible characters that were copied with it. Double quotes
 * are not removed, because quoted text is only searched for.
 */
const decoration = /^[#'`([<\u200b\u200e\u200f\ufeff]+|['`)\]>.,\u200b\u200e\u200f\ufeff]+$/g

/**
 * Extracts the digest from text copied from a failure page. The text is the digest, with or without a label before it
 * (`Digest: 2338471`, `Application error … Digest: 2338471`, or `ERROR 2338471` since Next.js 16). Surrounding
 * parentheses, backticks and number signs are removed.
 */
export function digestIn(text: string): string {
  const [, label, number] =
    /(?:^|\s)(?:digest:\s+["'`#]?([\w@.-]{4,40}?)["'`.,]?|(?:ERROR|digest) (\d{5,10}(?:@E\d+)?))$/i.exec(
      text,
    ) ?? []
  const bare = text.replace(decoration, '')
  return label ?? number ?? (looksLikeDigest(bare) ? bare : text)
}

/** Whether a search is probably a digest. */
export function looksLikeDigest(text: string): boolean {
  return ownDigest.test(text) || nextDigest.test(text)
}

/** Returns the failure id for a pasted digest or fingerprint, or `null` if there is none. */
export async function failureOfDigest(
  text: string,
  window: Window,
  store: Pick<Store, 'failureOfDigest' | 'failureId' | 'failure'>,
  signal: AbortSignal,
): Promise<string | null> {
  if (!oneWord.test(text)) return null
  const [byDigest, failure] = await Promise.all([
    store.failureOfDigest(text, signal),
    // If a failure's events have no digest, its page shows the failure id instead.
    ownDigest.test(text) ? failureOf(text) : null,
  ])
  return byDigest ?? failure?.id ?? null

  async function failureOf(fingerprint: string): Promise<FailureRow | null> {
    const id = await store.failureId(fingerprint, signal)
    return store.failure(id, window.toMs - window.fromMs, window, signal)
  }
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
