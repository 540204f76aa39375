/**
 * `sixpane/pino`: what pino's lines go through to Sixpane, in pino's worker thread or in the process of the service.
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
  /** Where Sixpane is; `SIXPANE_URL` if left out, else `http://127.0.0.1:3000`. */
  url?: string
  /** Made on the settings of a Sixpane that has a password; `SIXPANE_TOKEN` if left out. */
  token?: string
  /** In place of a token; `SIXPANE_PASSWORD` if left out. */
  password?: string
  /** How many bytes of lines may wait in memory, while Sixpane can't be reached: 16 MB if left out. */
  mostBytes?: number
}

/** Gives the stream that pino writes to. It takes whatever comes at once, and never fails. */
export default function sixpane(options: Options = {}): Writable {
  const { SIXPANE_URL, SIXPANE_TOKEN, SIXPANE_PASSWORD } = process.env
  const sender = createSender({
    url: options.url || SIXPANE_URL || 'http://127.0.0.1:3000',
    token: options.token || SIXPANE_TOKEN || undefined,
    password: options.password || SIXPANE_PASSWORD || undefined,
    mostBytes: options.mostBytes,
    ...(isMainThread ? {} : { onProblem }),
  })
  return new SixpaneStream(sender, options)
}

/** A warning of a worker goes through the main thread, which no longer listens when the process ends. */
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
    // Never later: the lines that have no room here would wait in the memory of the service, which has no bound.
    done()
  }

  override _final(done: () => void) {
    this.#lines.end()
    void this.#sender.close().then(() => done())
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    void this.#sender.close().then(() => done(error))
  }

  /** What `logger.flush(done)` and `transport.flush(done)` come to. */
  flush(done: () => void) {
    void this.#sender.flush().then(() => done())
  }
}
