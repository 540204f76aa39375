import { causeOf } from '../../../shared/cause-of.ts'
import { paths } from '../../../shared/paths.ts'
import { destinationProblem } from '../destination.ts'
import { originalFetch } from '../original-fetch.ts'
import { parseRetryAfter } from '../retry-after.ts'

export type Destination = { url: string; token?: string | undefined; password?: string | undefined }

/** How long a failed request waits for its report to be stored. */
const waitMs = 1000
const attemptTimeoutMs = 5000
/** After fewer temporary failures, no warning is printed, because Sixpane may just be restarting. */
const attemptsBeforeWarning = 4
const warnEveryMs = 3_600_000
const baseDelayMs = 500
const maxDelayMs = 30_000
/** Maximum delay that the server can request with `Retry-After`. */
const maxRetryAfterMs = 300_000
/** Maximum number of queued failures. */
const maxPending = 500
/** How late a timer may fire. */
const graceMs = 1000

/** Each attempt uses the same key, so that Sixpane stores the lines once even if a response is lost. */
type Batch = { key: string; lines: readonly string[] }

/**
 * Creates a function that sends lines to Sixpane, one request at a time, and repeats a request until Sixpane stores or
 * rejects the lines. Lines queued during a request are sent together in the next one. The promise resolves when the line is
 * stored or dropped, but after no more than one second, and immediately while Sixpane is unreachable.
 * @param module the module's name in warnings: `sixpane/next`
 */
export function createSender(module: string, destination: Destination): (line: string) => Promise<void> {
  const pending: string[] = []
  /** Lines taken from `pending`, until they are stored or dropped. */
  let unconfirmed: Batch[] = []
  let sending: Promise<void> | null = null
  let runs = 0
  /** When the current attempt or pause must have ended. */
  let endsByMs = 0
  let isUnreachable = false
  let nextWarningMs = 0

  const warn = (problem: string) => {
    if (Date.now() < nextWarningMs) return
    nextWarningMs = Date.now() + warnEveryMs
    // biome-ignore lint/suspicious/noConsole: the only log that every framework and runtime has
    console.warn(`(${module}) ${problem}`)
  }

  const run = async () => {
    const number = ++runs
    const isReplaced = () => number !== runs
    while (unconfirmed.length + pending.length > 0) {
      const [batch = batchOf(pending.splice(0)), ...others] = unconfirmed
      unconfirmed = [batch, ...others]
      const halves = await deliver(batch, isReplaced)
      if (isReplaced()) return
      unconfirmed = [...halves, ...others]
    }
    sending = null
  }
  /** Returns the halves of a batch that is too large, or an empty array once the lines are stored or dropped. */
  const deliver = async ({ key, lines }: Batch, isReplaced: () => boolean): Promise<Batch[]> => {
    // Attempts during an outage do not count towards the limit.
    let limitedAttempts = 0
    for (let attempt = 1; !isReplaced(); attempt++) {
      endsByMs = Date.now() + attemptTimeoutMs + graceMs
      const problem = await post(destination, key, lines, warn)
      if (isReplaced()) break
      isUnreachable = problem !== null
      if (problem === null) break
      if (problem.isTooLarge && lines.length > 1) {
        const half = lines.length >> 1
        return [batchOf(lines.slice(0, half)), batchOf(lines.slice(half))]
      }
      if (Number.isFinite(problem.maxAttempts)) limitedAttempts += 1
      const isLast = limitedAttempts >= problem.maxAttempts
      if (isLast || attempt >= attemptsBeforeWarning) warn(`Failures are not reported: ${problem.reason}`)
      if (isLast) break
      const backoffMs = Math.random() * Math.min(maxDelayMs, baseDelayMs * 4 ** (attempt - 1))
      const delayMs = Math.max(problem.retryAfterMs, backoffMs)
      endsByMs = Date.now() + delayMs + graceMs
      await pause(delayMs, attempt < attemptsBeforeWarning)
    }
    return []
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
    if (sending !== null && Date.now() > endsByMs) {
      // An edge runtime cancels the requests and timers of a response that has ended, so their promises never settle.
      sending = null
      isUnreachable = false
    }
    if (pending.length < maxPending) pending.push(line)
    sending ??= run()
    if (!isUnreachable) await waitBriefly(sending)
  }
}

function batchOf(lines: readonly string[]): Batch {
  return { key: crypto.randomUUID(), lines }
}

type Problem = { reason: string; maxAttempts: number; isTooLarge: boolean; retryAfterMs: number }

/** Returns `null` if Sixpane has stored the valid lines. Calls `warn` if Sixpane rejected other lines. */
async function post(
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

/** With `keepsAlive`, a Node.js process does not exit during the pause. */
function pause(ms: number, keepsAlive: boolean): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    // In other runtimes, timers are numbers.
    if (!keepsAlive) timer.unref?.()
  })
}
