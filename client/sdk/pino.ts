/**
 * `sixpane/pino`: a pino transport that sends lines to Sixpane, either from pino's worker thread or from the service's
 * main thread.
 *
 *   pino({ transport: { target: 'sixpane/pino', options: { url: 'http://127.0.0.1:3000' } } })
 *
 * https://getpino.io/#/docs/transports
 */
import { writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { isMainThread } from 'node:worker_threads'
import { createPinoLines, type LineOptions } from './pino-lines.ts'
import { createSender, type Sender } from './sender.ts'

export type Options = LineOptions & {
  /** Sixpane's URL; default: `SIXPANE_URL` or `http://127.0.0.1:3000`. */
  url?: string | undefined
  /** A token from the settings screen, needed if Sixpane requires sign-in; default: `SIXPANE_TOKEN`. */
  token?: string | undefined
  /** Sixpane's password, used instead of a token; default: `SIXPANE_PASSWORD`. */
  password?: string | undefined
  /** Memory limit for lines queued while Sixpane is unreachable; default: 16 MB. */
  maxBytes?: number | undefined
}

/** Creates the stream that pino writes to. The stream never blocks and never fails. */
export default function sixpane(options: Options = {}): Writable {
  const { SIXPANE_URL, SIXPANE_TOKEN, SIXPANE_PASSWORD } = process.env
  const sender = createSender({
    url: options.url || SIXPANE_URL || 'http://127.0.0.1:3000',
    token: options.token || SIXPANE_TOKEN || undefined,
    password: options.password || SIXPANE_PASSWORD || undefined,
    maxBytes: options.maxBytes,
    ...(isMainThread ? {} : { onProblem }),
  })
  return new SixpaneStream(sender, options)
}

/**
 * Writes directly, because `process.emitWarning` in a worker needs the main thread, which handles no warnings while the
 * process exits.
 */
function onProblem(problem: string): void {
  writeSync(2, `(sixpane/pino) ${problem}\n`)
}

class SixpaneStream extends Writable {
  readonly #sender: Sender
  readonly #lines: ReturnType<typeof createPinoLines>
  readonly #decoder = new StringDecoder()

  constructor(sender: Sender, options: LineOptions) {
    super({ decodeStrings: false })
    this.#sender = sender
    this.#lines = createPinoLines(options, line => sender.send(line))
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void) {
    this.#lines.read(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk))
    // Calls `done` immediately. Otherwise, lines would queue in the stream, which has no memory limit.
    done()
  }

  override _final(done: () => void) {
    this.#lines.end()
    void this.#sender.close().then(() => done())
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    void this.#sender.close().then(() => done(error))
  }

  /** Called by `logger.flush(done)` and `transport.flush(done)`. */
  flush(done: () => void) {
    void this.#sender.flush().then(() => done())
  }
}
