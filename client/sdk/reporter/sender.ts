import { attemptTimeoutMs, type Destination, post } from './post.ts'

/** How long a failed request waits for its report to be stored. */
const waitMs = 1000
/** After fewer temporary failures, no warning is printed, because Sixpane may just be restarting. */
const attemptsBeforeWarning = 4
const warnEveryMs = 3_600_000
const baseDelayMs = 500
const maxDelayMs = 30_000
/** For how long after a request is first sent pauses may keep a Node.js process alive. */
const keepAliveMs = 5000
/** Maximum number of queued failures. */
const maxPending = 500
/** How late a timer may fire. */
const graceMs = 1000

/** Each attempt uses the same key, so that Sixpane stores the lines once even if a response is lost. */
type Batch = { key: string; lines: readonly string[] }

/** A run sends lines until none are left, unless a later run replaces it. */
type Run = {
  /** When the current attempt or pause must have ended. */
  endsByMs: number
  isReplaced: boolean
  ended: Promise<void>
}

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
  let current: Run | null = null
  let isUnreachable = false
  let nextWarningMs = 0

  const warn = (problem: string) => {
    if (Date.now() < nextWarningMs) return
    nextWarningMs = Date.now() + warnEveryMs
    // biome-ignore lint/suspicious/noConsole: the only log that every framework and runtime has
    console.warn(`(${module}) ${problem}`)
  }

  const startRun = (): Run => {
    const run = { endsByMs: 0, isReplaced: false, ended: Promise.resolve() }
    run.ended = sendAll(run)
    return run
  }
  const sendAll = async (run: Run) => {
    while (unconfirmed.length + pending.length > 0) {
      const [batch = batchOf(pending.splice(0)), ...others] = unconfirmed
      unconfirmed = [batch, ...others]
      const halves = await deliver(batch, run)
      if (run.isReplaced) return
      unconfirmed = [...halves, ...others]
    }
    current = null
  }
  /** Returns the halves of a batch that is too large, or an empty array once the lines are stored or dropped. */
  const deliver = async ({ key, lines }: Batch, run: Run): Promise<Batch[]> => {
    // Attempts during an outage do not count towards the limit.
    let limitedAttempts = 0
    const keepAliveUntilMs = Date.now() + keepAliveMs
    for (let attempt = 1; !run.isReplaced; attempt++) {
      run.endsByMs = Date.now() + attemptTimeoutMs + graceMs
      const problem = await post(destination, key, lines, warn)
      if (run.isReplaced) break
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
      const resumesAtMs = Date.now() + delayMs
      run.endsByMs = resumesAtMs + graceMs
      await pause(delayMs, resumesAtMs <= keepAliveUntilMs)
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
    if (current !== null && Date.now() > current.endsByMs) {
      // An edge runtime cancels the requests and timers of a response that has ended, so their promises never settle.
      current.isReplaced = true
      current = null
      isUnreachable = false
    }
    if (pending.length < maxPending) pending.push(line)
    current ??= startRun()
    if (!isUnreachable) await waitBriefly(current.ended)
  }
}

function batchOf(lines: readonly string[]): Batch {
  return { key: crypto.randomUUID(), lines }
}

/** With `keepsAlive`, a Node.js process does not exit during the pause. */
function pause(ms: number, keepsAlive: boolean): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    // In other runtimes, timers are numbers.
    if (!keepsAlive) timer.unref?.()
  })
}
