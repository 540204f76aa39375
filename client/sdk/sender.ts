import { randomUUID } from 'node:crypto'
import { droppedNote } from './sender-note.ts'
import { bodyOf, createPost, type Destination } from './sender-post.ts'
import { createProblems } from './sender-problems.ts'
import { createQueue } from './sender-queue.ts'
import { nodeTimers } from './sender-timers.ts'
import { createTries, type Parts } from './sender-tries.ts'

export type SenderOptions = Destination & {
  /** How much may wait in memory, in bytes (16 MB if left out): what finds no room is dropped and counted. */
  mostBytes?: number | undefined
  /** Told what the operator should know, each kind of problem once an hour; a warning of the process if left out. */
  onProblem?: ((problem: string) => void) | undefined
}

/** Sends lines to Sixpane. Nothing of it throws or rejects: no service may fail because its log can't be sent. */
export type Sender = {
  /** Takes a line, which is one JSON object, and returns at once. */
  send(line: string): void
  /** Resolves when all that was taken is kept or dropped, or after so many milliseconds (5 s if left out). */
  flush(withinMs?: number): Promise<void>
  /**
   * Sends what waits, for so many milliseconds at most (5 s if left out), and takes no more.
   * @returns how many of all lines are not known to be kept
   */
  close(withinMs?: number): Promise<{ dropped: number }>
}

const defaultBytes = 16 * 1024 * 1024
const batchBytes = 1024 * 1024
/** How long lines gather before they are sent. */
const gatherMs = 200
/** pino gives its transports ten seconds when the process ends. */
const endMs = 5000

/**
 * Makes what sends lines in batches, one request at a time, in their order. A batch is tried until Sixpane has kept
 * or refused it, as the same bytes under the same key: so Sixpane keeps it once, also where an answer got lost.
 * @param parts what is another in a test
 */
export function createSender(options: SenderOptions, parts: Partial<Parts> = {}): Sender {
  const { post = createPost(options), timers = nodeTimers, random = Math.random } = parts
  const queue = createQueue(options.mostBytes ?? defaultBytes, batchBytes)
  const problems = createProblems(options.onProblem, timers.nowMs)
  const tries = createTries({ post, timers, random }, reason =>
    problems.tell('failed', `Lines for Sixpane wait: ${reason}`),
  )
  let [taken, settled, dropped] = [0, 0, 0]
  /** Dropped lines that Sixpane has not been told of, and one of them. */
  let untold = { count: 0, line: '' }
  let running: Promise<void> | null = null
  let closing: Promise<{ dropped: number }> | null = null
  let stopGathering: (() => void) | null = null

  const drop = (lines: readonly string[]) => {
    dropped += lines.length
    untold = { count: untold.count + lines.length, line: lines.at(-1) ?? '' }
  }

  const wake = (): Promise<void> => {
    stopGathering?.()
    stopGathering = null
    running ??= run().finally(() => {
      running = null
      if (!queue.isEmpty()) gather()
    })
    return running
  }
  const gather = () => {
    if (running !== null) return
    stopGathering ??= timers.after(gatherMs, () => void wake(), { holds: true })
  }
  /** Sends what waits; what comes meanwhile may gather, unless it is enough for a batch. */
  const run = async () => {
    do {
      const lines = queue.take()
      await deliver(lines)
      settled += lines.length
    } while (queue.hasFullBatch())
  }

  const deliver = async (lines: readonly string[]): Promise<void> => {
    if (tries.isOver()) return drop(lines)
    const told = untold.count
    const note = told === 0 ? [] : [droppedNote(told, untold.line, timers.nowMs())]
    const body = await bodyOf(randomUUID(), [...lines, ...note])
    const outcome = await tries.keepTrying(body)
    if (outcome.is === 'kept') {
      untold.count -= told
      if (outcome.rejected === 0) return
      dropped += Math.min(outcome.rejected, lines.length)
      problems.tell('rejected', `Sixpane can't read some of the lines: ${outcome.reason}`)
    } else if (outcome.is === 'too large' && lines.length > 1) {
      const half = lines.length >> 1
      await deliver(lines.slice(0, half))
      await deliver(lines.slice(half))
    } else {
      drop(lines)
      problems.tell(tries.isOver() ? 'ended' : 'dropped', `Lines for Sixpane are lost: ${outcome.reason}`)
    }
  }

  const untilSettled = async () => {
    const upTo = taken
    while (settled < upTo) await wake()
  }

  return {
    send(line) {
      if (closing !== null) return
      if (!queue.add(line)) {
        drop([line])
        problems.tell('dropped', 'Lines for Sixpane are lost: there is no room for them')
        return
      }
      taken += 1
      if (queue.hasFullBatch()) void wake()
      else gather()
    },
    flush(withinMs = endMs) {
      return new Promise(resolve => {
        const stopClock = timers.after(withinMs, resolve, { holds: true })
        void untilSettled().then(() => {
          stopClock()
          resolve()
        })
      })
    },
    close(withinMs = endMs) {
      const end = async () => {
        const stopClock = timers.after(withinMs, tries.giveUp, { holds: true })
        tries.hurry()
        await untilSettled()
        stopClock()
        stopGathering?.()
        return { dropped }
      }
      closing ??= end()
      return closing
    },
  }
}
