import { paths } from '../../../shared/paths.ts'

export type Destination = { url: string; token?: string | undefined; password?: string | undefined }

/** How long a failed request waits for its report to be stored. */
const waitMs = 1000
const attemptTimeoutMs = 5000
const maxAttempts = 4
const warnEveryMs = 3_600_000
const baseDelayMs = 500
/** Maximum number of queued failures. */
const maxPending = 500

/**
 * Creates a function that sends lines to Sixpane, one request at a time. Lines queued during a request are sent together in
 * the next one. The promise resolves when the line is stored or dropped, but after no more than one second, and immediately
 * while Sixpane is unreachable.
 * @param module the module's name in warnings: `sixpane/next`
 */
export function createSender(module: string, destination: Destination): (line: string) => Promise<void> {
  let pending: string[] = []
  let sending: Promise<void> | null = null
  let isUnreachable = false
  let nextWarningMs = 0

  const warn = (problem: string) => {
    if (Date.now() < nextWarningMs) return
    nextWarningMs = Date.now() + warnEveryMs
    // biome-ignore lint/suspicious/noConsole: the only log that every framework and runtime has
    console.warn(`(${module}) ${problem}`)
  }

  const run = async () => {
    while (pending.length > 0) {
      const lines = pending
      pending = []
      await sendWithRetries(lines)
    }
    sending = null
  }
  const sendWithRetries = async (lines: readonly string[]) => {
    // Each attempt uses the same key, so that Sixpane stores the lines once even if a response is lost.
    const key = crypto.randomUUID()
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const problem = await post(destination, key, lines, warn)
      isUnreachable = problem !== null
      if (problem === null || !problem.isRetryable || attempt === maxAttempts) {
        if (problem !== null) warn(`Failures are not reported: ${problem.reason}`)
        return
      }
      await pause(Math.random() * baseDelayMs * 4 ** (attempt - 1))
    }
  }
  /** Resolves when the work is complete, or after `waitMs`. */
  const waitBriefly = (work: Promise<void>) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(() => {
        isUnreachable = true
        resolve()
      }, waitMs)
      void work.then(() => {
        clearTimeout(timer)
        resolve()
      })
    })

  return async line => {
    if (pending.length === maxPending) return
    pending.push(line)
    sending ??= run()
    if (!isUnreachable) await waitBriefly(sending)
  }
}

type Problem = { reason: string; isRetryable: boolean }

/** Returns `null` if Sixpane has stored the valid lines. Calls `warn` if Sixpane rejected other lines. */
async function post(
  { url, token, password }: Destination,
  key: string,
  lines: readonly string[],
  warn: (problem: string) => void,
): Promise<Problem | null> {
  try {
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
    const { status, ok } = response
    const text = await response.text()
    if (ok) {
      const rejected = rejectedIn(text)
      if (rejected > 0)
        warn(`Sixpane rejected ${rejected} of ${lines.length} failures: ${text.slice(0, 500)}`)
      return null
    }
    const hint = status === 401 ? ": set a token created on Sixpane's settings screen" : ''
    const reason = `${new URL(url).origin} responded with status ${status}${hint}`
    return { reason, isRetryable: status === 408 || status === 429 || status >= 500 }
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    return { reason: `Sixpane is unreachable (${String(cause)})`, isRetryable: true }
  }
}

/** Returns the number of rejected lines in a response, or 0 if the response is not from Sixpane. */
function rejectedIn(text: string): number {
  try {
    return Number(Reflect.get(Object(JSON.parse(text)), 'rejected')) || 0
  } catch {
    return 0
  }
}

/**
 * Returns the original `fetch`. Next.js patches `fetch` to attribute requests to the page being rendered, so a request from
 * here would make a statically rendered page fail.
 * https://github.com/vercel/next.js/blob/canary/packages/next/src/server/lib/patch-fetch.ts
 */
function originalFetch(): typeof fetch {
  const original: unknown = Reflect.get(fetch, '_nextOriginalFetch')
  return isFetch(original) ? original : fetch
}

function isFetch(value: unknown): value is typeof fetch {
  return typeof value === 'function'
}

/** Encodes as UTF-8: https://www.rfc-editor.org/rfc/rfc7617#section-2.1 */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
