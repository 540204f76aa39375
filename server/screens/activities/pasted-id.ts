import { paths } from '../../../shared/paths.ts'
import { type Query, withTerm } from '../../../shared/query.ts'
import type { Store } from '../../store/store.ts'
import type { ScreenRequest } from '../screen.ts'
import { looksLikeDigest } from './pasted-digest.ts'

/** Longer than any request: what belongs to it lies this close. */
const aroundMs = 3_600_000
const dayMs = 86_400_000

/** A trace id by itself, or in the header that carries it (https://www.w3.org/TR/trace-context/#traceparent-header). */
const traceId = /^(?:[\da-f]{2}-)?([\da-f]{32})(?:-[\da-f]{16}-[\da-f]{2})?$/i
/** What may be a request's id: one word with a digit in it. Another word is looked for as text alone. */
const requestId = /^(?=[^\s]*\d)[\w./+-]{6,100}$/

/**
 * Where an id leads that was pasted as it is: to all of its trace or request, whenever that was. `null` for any other
 * text, and for an id that no kept event has.
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
