import type { FailureRow } from '../../../shared/failure.ts'
import { paths } from '../../../shared/paths.ts'
import { type Query, withTerm } from '../../../shared/query.ts'
import type { Window } from '../../../shared/range.ts'
import type { Store } from '../../store/store.ts'
import type { ScreenRequest } from '../screen.ts'

/** A text that can be a digest: one word that is not a field's term. */
const oneWord = /^[A-Za-z0-9@._-]{4,40}$/
/** Sixpane's own digest, which is also the fingerprint. */
const ownDigest = /^[0-9a-f]{10}$/
/** Next.js: a 32-bit decimal, followed by the code of the framework's own errors since 15.5. */
const nextDigest = /^\d{6,10}(@E\w+)?$/

/** A trace id by itself, or in the header that carries it (https://www.w3.org/TR/trace-context/#traceparent-header). */
const traceId = /^(?:[\da-f]{2}-)?([\da-f]{32})(?:-[\da-f]{16}-[\da-f]{2})?$/i
/** A text that can be a request id: one word with a digit. Other words are only searched as text. */
const requestId = /^(?=[^\s]*\d)[\w./+-]{6,100}$/
/** Longer than any request: its other events are this close. */
const aroundMs = 3_600_000
const dayMs = 86_400_000

/**
 * Extracts the digest from text that was copied from a failure page: the digest alone, or after its label
 * (`Digest: 2338471`, `Application error … Digest: 2338471`, since Next.js 16 `ERROR 2338471`).
 */
export function digestIn(text: string): string {
  const [, label, number] =
    /(?:^|\s)(?:digest:\s+["']?([\w@.-]{4,40}?)["'.,]?|ERROR (\d{5,10}(?:@E\d+)?))$/i.exec(text) ?? []
  return label ?? number ?? text
}

/** Whether a search without results was probably meant as a digest. */
export function looksLikeDigest(text: string): boolean {
  return ownDigest.test(text) || nextDigest.test(text)
}

/** The id of the failure that a pasted digest or fingerprint belongs to, or `null`. */
export async function failureOfDigest(
  text: string,
  window: Window,
  store: Pick<Store, 'failureOfDigest' | 'failureId' | 'failure'>,
  signal: AbortSignal,
): Promise<string | null> {
  if (!oneWord.test(text)) return null
  const [ofDigest, failure] = await Promise.all([
    store.failureOfDigest(text, signal),
    // A failure whose events have no digest shows its id instead.
    ownDigest.test(text) ? failureOf(text) : null,
  ])
  return ofDigest ?? failure?.id ?? null

  async function failureOf(fingerprint: string): Promise<FailureRow | null> {
    const id = await store.failureId(fingerprint, signal)
    return store.failure(id, window.toMs - window.fromMs, window, signal)
  }
}

/**
 * The URL for a pasted trace or request id: all its events, whenever they were. `null` for other text, and for an id
 * that no stored event has.
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
  const query: Query = { kind: 'field', field, comparison: '=', value, literal: true }
  const window = { fromMs: 0, toMs: nowMs + dayMs }
  const [event] = (await store.events({ window, query, limit: 1 }, signal)).events
  if (event === undefined) return null
  const timeMs = Math.round(event.timeMs)
  return paths.activities({
    q: withTerm('', field, value),
    range: { fromMs: timeMs - aroundMs, toMs: timeMs + aroundMs },
  })
}
