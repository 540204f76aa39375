import { once } from 'node:events'
import { errorCode } from '../../shared/error-code.ts'
import { createContainerJoiners } from './container-joiners.ts'
import { createContainerLines } from './container-lines.ts'
import { cutLine } from './cut-text.ts'
import { withoutDockerPrefix } from './docker-prefix.ts'
import { createEventOrder } from './event-order.ts'
import { createLineReader } from './read-lines.ts'
import { type Defaults, recordToSend, textToSend } from './to-send.ts'

/** Exceeds the length of the lines that Sixpane accepts, because `recordToSend` can shorten only whole JSON lines. */
const maxLineBytes = 8 * 1024 * 1024
/** Programs print a stack trace all at once, so lines after a pause belong to another event. */
const traceIdleMs = 200

export type PipeOptions = {
  input: AsyncIterable<Buffer>
  output: NodeJS.WritableStream
  defaults: Defaults
  /** Queues an event as a JSON line. Never blocks. */
  send: (line: string) => void
  /** Called after each chunk with the length of its events. The next chunk is read when the promise resolves. */
  pace?: (eventsLength: number) => Promise<void>
  /** Called with the first error of the output, unless it only means that the program that reads the output has exited. */
  onOutputError?: (error: Error) => void
  /** Called for each JSON line that is too long to parse. Only its start is sent, as text. */
  onCutRecord?: () => void
}

/**
 * Passes the input through unchanged, no faster than the output accepts it, and sends its lines as events. Resolves when the
 * input ends, even if the output closes earlier. After other errors of the output, keeps trying to write.
 */
export async function pipe({
  input,
  output,
  defaults,
  pace,
  onOutputError,
  ...options
}: PipeOptions): Promise<void> {
  // Measures the length of the events instead of the lines, because an event can be many times longer than its line.
  let eventsLength = 0
  const events = createEventOrder(event => {
    eventsLength += event.length
    options.send(event)
  })
  // Counts only the time spent waiting for input. During other waits, the rest of a trace may already be in the input.
  let waitedMs = 0
  const joiners = createContainerJoiners(
    joined => {
      const event = textToSend(joined, defaults)
      if (event !== null) events.add(joined.lines[0]?.position ?? 0, event)
    },
    () => waitedMs,
  )
  const containerLines = createContainerLines(maxLineBytes, withPrefix => {
    const line = withoutDockerPrefix(withPrefix)
    const record = recordToSend(line, defaults)
    const joiner = joiners.get(line)
    if (record === null) {
      if (line.text.startsWith('{') && line.cutLength) options.onCutRecord?.()
      joiner.push(cutLine(line))
    } else {
      joiner.flush()
      events.add(line.position, record)
    }
    events.release(joiners.pendingFrom())
  })
  const flush = (idleMs: number) => {
    joiners.flush(idleMs)
    events.release(joiners.pendingFrom())
  }
  let position = 0
  const lines = createLineReader(maxLineBytes, (text, cutLength) => {
    containerLines.push({ text, position, cutLength, timeMs: Date.now() })
    position += 1
  })
  let isOutputOpen = true
  let hasReportedError = false
  output.on('error', error => {
    if (errorCode(error) === 'EPIPE') isOutputOpen = false
    else if (!hasReportedError) {
      hasReportedError = true
      onOutputError?.(error)
    }
  })
  let idleTimer: NodeJS.Timeout | undefined
  let waitingSinceMs = performance.now()
  try {
    for await (const chunk of input) {
      clearTimeout(idleTimer)
      waitedMs += performance.now() - waitingSinceMs
      const hasRoom = !isOutputOpen || output.write(chunk)
      lines.read(chunk)
      // One container or stream may be idle while others print.
      flush(traceIdleMs)
      if (!hasRoom && output.writable) await untilWritable(output)
      await pace?.(eventsLength)
      eventsLength = 0
      waitingSinceMs = performance.now()
      idleTimer = setTimeout(() => flush(0), traceIdleMs)
    }
  } finally {
    clearTimeout(idleTimer)
    lines.end()
    containerLines.end()
    flush(0)
  }
}

/** Waits until the output accepts more data or closes. */
async function untilWritable(output: NodeJS.WritableStream): Promise<void> {
  const waiting = new AbortController()
  const { signal } = waiting
  await Promise.race(['drain', 'close'].map(name => once(output, name, { signal }))).catch(() => {})
  // Removes the listeners for the event that did not occur.
  waiting.abort()
}
