import { once } from 'node:events'
import { createJoiner } from './join-lines.ts'
import { createLineReader } from './read-lines.ts'
import { recordToSend, textToSend, type Writer } from './to-send.ts'

/** Sixpane reads lines of a mebibyte; what is parsed of the writer has to fit in as well. */
const maxLineBytes = 1024 * 1024 - 16 * 1024
/** A trace is written in one go: what comes later is another event. */
const traceIdleMs = 200

export type PipeOptions = {
  input: AsyncIterable<Buffer>
  output: NodeJS.WritableStream
  writer: Writer
  /** Takes an event as a line of JSON; never waits. */
  send: (line: string) => void
  /** Called after each piece of the input: the next is read when it resolves. */
  pace?: (bytes: number) => Promise<void>
}

/**
 * Passes the input through to the output, byte by byte and at the output's pace, and sends what it says as events.
 * Resolves when the input has ended. An output that nobody reads any more stops nothing.
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
  const quiet = setTimeout(() => joiner.flush(), traceIdleMs)
  try {
    for await (const chunk of input) {
      const hasRoom = !isOutputOpen || output.write(chunk)
      lines.read(chunk)
      quiet.refresh()
      if (!hasRoom && isOutputOpen)
        await Promise.race(['drain', 'close'].map(name => once(output, name))).catch(() => {})
      await pace?.(chunk.length)
    }
  } finally {
    clearTimeout(quiet)
    lines.end()
    joiner.flush()
  }
}
