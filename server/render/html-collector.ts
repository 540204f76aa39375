import { Writable } from 'node:stream'

type Chunk = string | Uint8Array

/**
 * Collects the HTML that React writes. Overrides `write` and `end`, not only `_write`, because the stream's queue would take
 * a fifth of the rendering time, and a page is too small to need backpressure.
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
