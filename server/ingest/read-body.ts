import type { Readable, Transform } from 'node:stream'
import * as zlib from 'node:zlib'

/** A body that is not taken, with the status and the sentence that say why. */
export class RefusedBodyError extends Error {
  override name = 'RefusedBodyError'
  constructor(
    readonly status: 400 | 413 | 415,
    message: string,
  ) {
    super(message)
  }
}

// From Node 22.15 on.
const createZstd: unknown = Reflect.get(zlib, 'createZstdDecompress')

/** The values of `Content-Encoding` that are read. */
export const encodings = ['gzip', 'deflate', 'br', ...(typeof createZstd === 'function' ? ['zstd'] : [])]

/**
 * Reads a request's body into memory, decompressed, with the bound on both: a compressed body is never unpacked
 * further than the limit. The request is never destroyed, since its answer goes the same way: what is left of a
 * refused body is read and thrown away.
 * @param encoding the `Content-Encoding`, if any
 * @throws RefusedBodyError
 */
export function readBody(body: Readable, encoding: string | undefined, limitBytes: number): Promise<Buffer> {
  const decoder = decoderOf(encoding)
  const decoded = decoder === null ? body : body.pipe(decoder)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let refused = false
    const refuse = (status: 400 | 413, message: string) => {
      if (refused) return
      refused = true
      chunks.length = 0
      if (decoder !== null) body.unpipe(decoder)
      decoder?.destroy()
      body.resume()
      reject(new RefusedBodyError(status, message))
    }
    const bounded = (take: (chunk: Buffer) => void) => {
      let sizeBytes = 0
      return (chunk: Buffer) => {
        sizeBytes += chunk.length
        if (sizeBytes > limitBytes) refuse(413, `The body is ${tooLarge(limitBytes)}`)
        else if (!refused) take(chunk)
      }
    }

    body.on('error', () => refuse(400, 'The body ended before it was whole'))
    body.on('close', () => {
      if (!body.readableEnded) refuse(400, 'The body ended before it was whole')
    })
    if (decoder !== null) {
      body.on(
        'data',
        bounded(() => {}),
      )
      decoder.on('error', () => refuse(400, `The body is not whole, or it is not ${encoding}`))
    }
    decoded.on(
      'data',
      bounded(chunk => chunks.push(chunk)),
    )
    decoded.on('end', () => resolve(Buffer.concat(chunks)))
  })
}

function tooLarge(limitBytes: number): string {
  return `larger than ${limitBytes / 1e6} MB, or unpacks to more: send it in several requests`
}

function decoderOf(encoding: string | undefined): Transform | null {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip()
    case 'deflate':
      return zlib.createInflate()
    case 'br':
      return zlib.createBrotliDecompress()
    case 'zstd':
      if (encodings.includes('zstd')) return zlib.createZstdDecompress()
  }
  throw new RefusedBodyError(
    415,
    `This Content-Encoding can't be read here: use one of ${encodings.join(', ')}, or none`,
  )
}
