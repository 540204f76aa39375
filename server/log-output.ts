import { write, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { errorCode } from '../shared/error-code.ts'

/** Lines are buffered for up to this time, because writing each line separately takes longer than formatting it. */
const maxLineDelayMs = 20
const bufferLength = 8192
/** More text is discarded, so that a reader that has stopped reading does not use up the memory. */
const maxWaitingLength = 8_000_000
const retryMs = 20
/** A process that ends waits this long for a reader that has stopped reading. */
const maxFlushMs = 1000

const writeAsync = promisify(write)
const nothing = Buffer.alloc(0)
const lineBreak = Buffer.from('\n')

export type LogOutput = { write(line: string): void; flushSync(): void }

/**
 * Writes lines to a file descriptor asynchronously, so that a slow reader does not delay requests. Discards lines that
 * cannot be written, for example because the disk is full, and continues with later lines. pino's own destination would then
 * block the process forever.
 */
export function createLogOutput(fd: number): LogOutput {
  let waiting = ''
  /** Text that was taken from `waiting` but could not be written yet. */
  let rest: Buffer = nothing
  let lastByte = lineBreak[0]
  let isWriting = false

  const takeChunk = (): Buffer => {
    const chunk = rest.length > 0 ? rest : Buffer.from(waiting)
    if (rest.length === 0) waiting = ''
    rest = nothing
    return chunk
  }
  const putBack = (chunk: Buffer) => {
    // `flushSync` may have put text back during an asynchronous write.
    rest = rest.length > 0 ? Buffer.concat([chunk, rest]) : chunk
  }
  const onWritten = (chunk: Buffer, length: number) => {
    putBack(chunk.subarray(length))
    lastByte = chunk[length - 1] ?? lastByte
  }
  /** Returns whether it is worth trying again. */
  const onError = (chunk: Buffer, error: unknown): boolean => {
    const isReaderSlow = errorCode(error) === 'EAGAIN'
    if (isReaderSlow) {
      putBack(chunk)
    } else {
      waiting = ''
      // The next line must not continue a line whose end was discarded.
      rest = lastByte === lineBreak[0] ? nothing : lineBreak
    }
    return isReaderSlow
  }

  const writeWaiting = async () => {
    if (isWriting) return
    isWriting = true
    for (let chunk = takeChunk(); chunk.length > 0; chunk = takeChunk()) {
      try {
        onWritten(chunk, (await writeAsync(fd, chunk)).bytesWritten)
      } catch (error) {
        if (!onError(chunk, error)) break
        await wait(retryMs)
      }
    }
    isWriting = false
  }

  const flushSync = () => {
    const endMs = performance.now() + maxFlushMs
    for (let chunk = takeChunk(); chunk.length > 0; chunk = takeChunk()) {
      try {
        onWritten(chunk, writeSync(fd, chunk))
      } catch (error) {
        if (!onError(chunk, error) || performance.now() > endMs) break
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
      }
    }
  }
  process.on('exit', flushSync)

  return {
    write(line) {
      if (waiting.length + line.length > maxWaitingLength) return
      if (waiting === '') setTimeout(writeWaiting, maxLineDelayMs)
      waiting += line
      if (waiting.length >= bufferLength) void writeWaiting()
    },
    flushSync,
  }
}
