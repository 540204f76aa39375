import { Writable } from 'node:stream'

type Chunk = string | Uint8Array

/**
 * Collects the HTML that React writes. `write` and `end` are overridden, not only `_write`: the queue of a stream
 * costs a fifth of a render, and a page is small enough to need no back-pressure.
 */
export class HtmlCollector extends Writable {
  #chunks: Chunk[] = []

  override write(chunk: Chunk): boolean {
    this.#chunks.push(chunk)
    return true
  }

  override end(): this {
    return this
  }

  html(): Buffer {
    return Buffer.concat(this.#chunks.map(chunk => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)))
  }
}
