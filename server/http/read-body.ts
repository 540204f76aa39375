import { Readable, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpError } from './http-error.ts'

// Available since Node 22.15.
const createZstd: unknown = Reflect.get(zlib, 'createZstdDecompress')

/** The supported values of `Content-Encoding`. */
const encodings = ['gzip', 'deflate', 'br', ...(typeof createZstd === 'function' ? ['zstd'] : [])]

/** Lets the routes of a scope use `readBody` with any `Content-Type`, because clients send many different ones. */
export function acceptAnyBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}

/**
 * Reads the body of a request into memory and decompresses it; requires `acceptAnyBody`. The limit applies before and
 * after decompression. The rest of a rejected body is read and discarded, because the response needs the connection.
 * @param encoding the `Content-Encoding`
 * @throws HttpError 400 for an incomplete or corrupt body, 413 for a body over the limit, 415 for an unknown encoding
 */
export function readBody(
  request: FastifyRequest,
  limitBytes: number,
  encoding: string | undefined = request.headers['content-encoding'],
): Promise<Buffer> {
  const body = request.body instanceof Readable ? request.body : Readable.from([])
  const decoder = decoderOf(encoding)
  const decoded = decoder === null ? body : body.pipe(decoder)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let failed = false
    const fail = (status: 400 | 413, message: string) => {
      if (failed) return
      failed = true
      chunks.length = 0
      if (decoder !== null) body.unpipe(decoder)
      decoder?.destroy()
      body.resume()
      reject(new HttpError(status, message))
    }
    const limited = (take: (chunk: Buffer) => void) => {
      let sizeBytes = 0
      return (chunk: Buffer) => {
        sizeBytes += chunk.length
        if (sizeBytes > limitBytes) fail(413, `The body is ${tooLarge(limitBytes)}`)
        else if (!failed) take(chunk)
      }
    }

    body.on('error', () => fail(400, incomplete))
    body.on('close', () => {
      if (!body.readableEnded) fail(400, incomplete)
    })
    if (decoder !== null) {
      body.on(
        'data',
        limited(() => {}),
      )
      decoder.on('error', () => fail(400, `The body is incomplete or not ${encoding}`))
    }
    decoded.on(
      'data',
      limited(chunk => chunks.push(chunk)),
    )
    decoded.on('end', () => resolve(Buffer.concat(chunks)))
  })
}

/** The error message if the client closes the connection before the body is complete. */
export const incomplete = 'The body is incomplete'

function tooLarge(limitBytes: number): string {
  return `larger than ${limitBytes / 1e6} MB, or decompresses to more: send it in several requests`
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
  // https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
  const headers = { 'accept-encoding': encodings.join(', ') }
  const message = `Unsupported Content-Encoding. Use ${encodings.join(', ')} or none`
  throw new HttpError(415, message, headers)
}
