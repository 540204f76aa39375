import { Writable } from 'node:stream'

type Chunk = string | Uint8Array

/**
 * Where React writes a page to: it takes everything at once and has no back-pressure to give, since a page is
 * small. `write` and `end` are replaced, not only `_write`: a stream's own queueing costs a fifth of a render.
 */
export class Sink extends Writable {
  #chunks: Chunk[] = []
  #forward: ((chunk: Chunk) => void) | null = null
  #onEnd: (() => void) | null = null
  ended = false

  override write(chunk: Chunk): boolean {
    if (this.#forward === null) this.#chunks.push(chunk)
    else this.#forward(chunk)
    return true
  }

  override end(): this {
    this.ended = true
    this.#onEnd?.()
    return this
  }

  /** What has been written until now, once. */
  take(): Buffer {
    const chunks = this.#chunks
    this.#chunks = []
    return Buffer.concat(chunks.map(chunk => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)))
  }

  /** Takes no more notice of what is written: something else has taken its place. */
  discard(): void {
    this.#chunks = []
    this.#forward = () => {}
  }

  /** Passes on whatever has been and will be written, and resolves at the end of it. */
  forward(write: (chunk: Chunk) => void): Promise<void> {
    const first = this.take()
    if (first.length > 0) write(first)
    this.#forward = write
    return new Promise(resolve => {
      this.#onEnd = resolve
      if (this.ended) resolve()
    })
  }
}
