import { once } from 'node:events'
import { createJoiner } from './join-lines.ts'
import { createLineReader } from './read-lines.ts'
import { recordToSend, textToSend, type Writer } from './to-send.ts'

/** Sixpane accepts lines of 1 MiB; leaves space for the added service and release. */
const maxLineBytes = 1024 * 1024 - 16 * 1024
/** A stack trace is written at once: later lines are another event. */
const traceIdleMs = 200

export type PipeOptions = {
  input: AsyncIterable<Buffer>
  output: NodeJS.WritableStream
  writer: Writer
  /** Queues an event as a JSON line; never blocks. */
  send: (line: string) => void
  /** Called after each chunk; the next is read when it resolves. */
  pace?: (bytes: number) => Promise<void>
}

/**
 * Passes the input through to the output unchanged, at the output's pace, and sends its lines as events. Resolves at the
 * end of the input. A closed output does not stop it.
 */
export async function pipe({ input, output, writer, send, pace }: PipeOptions): Promise<void> {
  const joiner = createJoiner(joined => {
    const event = textToSend(joined, writer)
    if (event !== null) send(event)
  })
  const lines = createLineReader(maxLineBytes, text => {
    const line = { text, timeMs: Date.now() }
    const record = recordToSend(line, writer)
    if (record === null) {
      joiner.push(line)
      return
    }
    joiner.flush()
    send(record)
  })
  let isOutputOpen = true
  output.on('error', () => {
    isOutputOpen = false
  })
  const idleTimer = setTimeout(() => joiner.flush(), traceIdleMs)
  try {
    for await (const chunk of input) {
      const hasRoom = !isOutputOpen || output.write(chunk)
      lines.read(chunk)
      idleTimer.refresh()
      if (!hasRoom && isOutputOpen)
        await Promise.race(['drain', 'close'].map(name => once(output, name))).catch(() => {})
      await pace?.(chunk.length)
    }
  } finally {
    clearTimeout(idleTimer)
    lines.end()
    joiner.flush()
  }
}
