import { causeOf } from '../../../shared/cause-of.ts'
import { paths } from '../../../shared/paths.ts'
import { destinationProblem } from '../destination.ts'
import { originalFetch } from '../original-fetch.ts'
import { parseRetryAfter } from '../retry-after.ts'

export type Destination = { url: string; token?: string | undefined; password?: string | undefined }

export const attemptTimeoutMs = 5000
/** Maximum delay that the server can request with `Retry-After`. */
const maxRetryAfterMs = 300_000

/** Why lines were not stored. */
export type Problem = { reason: string; maxAttempts: number; isTooLarge: boolean; retryAfterMs: number }

/** Returns `null` if Sixpane has stored the valid lines. Calls `warn` if Sixpane rejected other lines. */
export async function post(
  { url, token, password }: Destination,
  key: string,
  lines: readonly string[],
  warn: (problem: string) => void,
): Promise<Problem | null> {
  try {
    const problem = destinationProblem(url, token)
    if (problem !== null) return { reason: problem, maxAttempts: 1, isTooLarge: false, retryAfterMs: 0 }
    const authorization = token ? `Bearer ${token}` : password ? `Basic ${base64(`:${password}`)}` : null
    const response = await originalFetch()(new URL(paths.ingest(), url), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-ndjson',
        'idempotency-key': key,
        ...(authorization === null ? {} : { authorization }),
      },
      body: lines.join('\n'),
      redirect: 'manual',
      signal: AbortSignal.timeout(attemptTimeoutMs),
    })
    const { status, ok, headers } = response
    const text = await response.text()
    const rejected = ok ? rejectedIn(text) : null
    if (rejected !== null) {
      if (rejected > 0)
        warn(`Sixpane rejected ${rejected} of ${lines.length} failures: ${text.slice(0, 500)}`)
      return null
    }
    const hint = ok
      ? ', but does not appear to be a Sixpane server: check the URL'
      : status === 401
        ? ": set a token created on Sixpane's settings screen"
        : ''
    const reason = `${new URL(url).origin} responded with status ${status}${hint}`
    const isTemporary = [408, 429].includes(status) || (status > 500 && ![501, 505].includes(status))
    return {
      reason,
      // These lines may themselves cause status 500, so they must not block later lines forever.
      maxAttempts: isTemporary ? Number.POSITIVE_INFINITY : status === 500 ? 10 : 1,
      isTooLarge: status === 413,
      retryAfterMs: Math.min(parseRetryAfter(headers), maxRetryAfterMs),
    }
  } catch (error) {
    return {
      reason: `Sixpane is unreachable (${causeOf(error)})`,
      maxAttempts: Number.POSITIVE_INFINITY,
      isTooLarge: false,
      retryAfterMs: 0,
    }
  }
}

/** Returns the number of rejected lines in a response, or `null` if the response is not from Sixpane. */
function rejectedIn(text: string): number | null {
  try {
    const rejected: unknown = Reflect.get(Object(JSON.parse(text)), 'rejected')
    return typeof rejected === 'number' ? rejected : null
  } catch {
    return null
  }
}

/** Encodes text as UTF-8, then as Base64: https://www.rfc-editor.org/rfc/rfc7617#section-2.1 */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
