import { randomUUID } from 'node:crypto'
import { droppedNote } from './sender-note.ts'
import { createBody, createPost, type Destination } from './sender-post.ts'
import { createProblemReporter } from './sender-problems.ts'
import { createQueue } from './sender-queue.ts'
import { createRetryingPost, type SenderDependencies } from './sender-retries.ts'
import { nodeTimers } from './sender-timers.ts'

export type SenderOptions = Destination & {
  /** Memory limit of the queue; default: 16 MB. Lines beyond it are dropped and counted. */
  maxBytes?: number | undefined
  /** Called with a problem for the operator, at most once an hour for each kind; default: `process.emitWarning`. */
  onProblem?: ((problem: string) => void) | undefined
}

/** Sends lines to Sixpane. Never throws or rejects, because problems with sending a log must not affect the service. */
export type Sender = {
  /** Queues a line, which is one JSON object. Never blocks. */
  send(line: string): void
  /** Resolves when all lines already queued are stored or dropped, or after the timeout (default: 5 s). */
  flush(withinMs?: number): Promise<void>
  /**
   * Sends the queued lines within the timeout (default: 5 s). Further lines are ignored.
   * @returns the total number of lines that were dropped or may not have been stored
   */
  close(withinMs?: number): Promise<{ dropped: number }>
}

const defaultMaxBytes = 16 * 1024 * 1024
const batchBytes = 1024 * 1024
/** How long the sender collects lines before it sends them. */
const batchDelayMs = 200
/** Shorter than the ten seconds that pino gives its transports to finish when the process exits. */
const closeTimeoutMs = 5000

/**
 * Creates a sender that sends batches in order, one request at a time. It retries each batch with the same bytes and key
 * until Sixpane stores or rejects it, so Sixpane stores the batch once even if a response is lost.
 * @param dependencies replaced by tests
 */
export function createSender(options: SenderOptions, dependencies: Partial<SenderDependencies> = {}): Sender {
  const { post = createPost(options), timers = nodeTimers, random = Math.random } = dependencies
  const queue = createQueue(options.maxBytes ?? defaultMaxBytes, batchBytes)
  const problems = createProblemReporter(options.onProblem, timers.nowMs)
  const retries = createRetryingPost({ post, timers, random }, reason =>
    problems.report('failed', `Log lines are queued: ${reason}`),
  )
  let [queued, settled, dropped] = [0, 0, 0]
  /** The number of dropped lines not yet reported to Sixpane, and one of these lines. */
  let unreported = { count: 0, line: '' }
  let running: Promise<void> | null = null
  let closing: Promise<{ dropped: number }> | null = null
  let cancelTimer: (() => void) | null = null

  const drop = (lines: readonly string[]) => {
    dropped += lines.length
    unreported = { count: unreported.count + lines.length, line: lines.at(-1) ?? '' }
  }

  const sendNow = (): Promise<void> => {
    cancelTimer?.()
    cancelTimer = null
    running ??= run().finally(() => {
      running = null
      if (!queue.isEmpty()) sendLater()
    })
    return running
  }
  const sendLater = () => {
    if (running !== null) return
    cancelTimer ??= timers.after(batchDelayMs, () => void sendNow(), { keepsAlive: true })
  }
  /** Sends the oldest batch, and any other full batches. */
  const run = async () => {
    do {
      const lines = queue.take()
      await deliver(lines)
      settled += lines.length
    } while (queue.hasFullBatch())
  }

  const deliver = async (lines: readonly string[]): Promise<void> => {
    if (retries.hasGivenUp()) return drop(lines)
    const { count, line } = unreported
    const note = count === 0 ? [] : [droppedNote(count, line, timers.nowMs())]
    const body = await createBody(randomUUID(), [...lines, ...note])
    const outcome = await retries.postWithRetries(body)
    if (outcome.status === 'stored') {
      unreported.count -= count
      if (outcome.rejected === 0) return
      dropped += Math.min(outcome.rejected, lines.length)
      problems.report('rejected', `Sixpane rejected some log lines: ${outcome.reason}`)
    } else if (outcome.status === 'too large' && lines.length > 1) {
      const half = lines.length >> 1
      await deliver(lines.slice(0, half))
      await deliver(lines.slice(half))
    } else {
      drop(lines)
      problems.report(retries.hasGivenUp() ? 'ended' : 'dropped', `Log lines were dropped: ${outcome.reason}`)
    }
  }

  const allSettled = async () => {
    const upTo = queued
    while (settled < upTo) await sendNow()
  }

  return {
    send(line) {
      if (closing !== null) return
      const outcome = queue.add(line)
      if (outcome !== 'added') {
        drop([line])
        if (outcome === 'full') problems.report('dropped', 'Log lines were dropped: the queue is full')
        else problems.report('too long', 'Log lines were dropped: they are longer than 1 MiB')
        return
      }
      queued += 1
      if (queue.hasFullBatch()) void sendNow()
      else sendLater()
    },
    flush(withinMs = closeTimeoutMs) {
      return new Promise(resolve => {
        const cancelTimeout = timers.after(withinMs, resolve, { keepsAlive: true })
        void allSettled().then(() => {
          cancelTimeout()
          resolve()
        })
      })
    },
    close(withinMs = closeTimeoutMs) {
      const end = async () => {
        const cancelTimeout = timers.after(withinMs, retries.giveUp, { keepsAlive: true })
        retries.startClosing()
        await allSettled()
        cancelTimeout()
        cancelTimer?.()
        return { dropped }
      }
      closing ??= end()
      return closing
    },
  }
}
