import { isModuleDigest, looksLikeDigest } from '../../../shared/digest-format.ts'
import { dayMs } from '../../../shared/duration-units.ts'
import { paths } from '../../../shared/paths.ts'
import { fieldEquals, withTerm } from '../../../shared/query.ts'
import type { Store } from '../../store/store.ts'
import type { ScreenRequest } from '../screen.ts'

/** A trace id, alone or in a `traceparent` header (https://www.w3.org/TR/trace-context/#traceparent-header). */
const traceId = /^(?:[\da-f]{2}-)?([\da-f]{32})(?:-[\da-f]{16}-[\da-f]{2})?$/i
/** Text that may be a request id: one word with a digit. */
const requestId = /^(?=[^\s]*\d)[\w./+-]{6,100}$/
/** Time before and after the event, to include the rest of its request or trace. */
const aroundMs = 3_600_000

/**
 * Returns the URL that shows all events with a pasted trace or request id, regardless of the selected range. Returns `null`
 * for other text, or if no stored event has the id.
 */
export async function hrefOfPastedId(
  text: string,
  { params, nowMs, signal }: ScreenRequest,
  store: Pick<Store, 'events'>,
): Promise<string | null> {
  const trace = traceId.exec(text)?.[1]?.toLowerCase()
  const field = trace !== undefined ? 'trace' : mayBeRequestId(text) ? 'request' : null
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
    columns: params.get('columns') ?? undefined,
  })
}

/** Some applications create request ids of 12 random hexadecimal digits, like the digests of Sixpane's modules. */
function mayBeRequestId(text: string): boolean {
  return requestId.test(text) && (isModuleDigest(text) || !looksLikeDigest(text))
}
