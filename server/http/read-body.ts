import { Readable, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { runInSlices } from '../time-slice.ts'
import { HttpError } from './http-error.ts'
import type { MemoryLease } from './memory-budget.ts'

// Available since Node 22.15.
const createZstd: unknown = Reflect.get(zlib, 'createZstdDecompress')

/** The supported values of `Content-Encoding`. */
const encodings = ['gzip', 'deflate', 'br', ...(typeof createZstd === 'function' ? ['zstd'] : [])]

/** A media type (https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1). Its parameters may be malformed. */
const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/**
 * Lets the routes of a scope use `readBody` with any `Content-Type`, because clients send many different ones. Replaces a
 * malformed one, which Fastify would reject before it chooses the parser.
 */
export function acceptAnyBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  scope.addHook('onRequest', ({ headers }, _reply, done) => {
    const type = headers['content-type']
    if (type !== undefined && !mediaType.test(type)) headers['content-type'] = 'application/octet-stream'
    done()
  })
}

/**
 * The maximum body size, and a function that reserves memory for the body. `advice` tells the client what to do if the body
 * is larger.
 */
export type BodyLimits = { limitBytes: number; reserve: MemoryLease['reserve']; advice?: string }

/**
 * Reads a request body into memory and decompresses it; requires `acceptAnyBody`. The limit applies both before and after
 * decompression. Discards the rest of a rejected body, because the response needs the connection.
 * @param encoding the `Content-Encoding`
 * @throws HttpError 400 for an incomplete or corrupt body, 413 for a body over the limit, 415 for an unknown encoding, 429
 *   if the memory budget is used up
 */
export async function readBody(
  request: FastifyRequest,
  { limitBytes, reserve, advice }: BodyLimits,
  encoding: string | undefined = request.headers['content-encoding'],
): Promise<Buffer> {
  const body = request.body instanceof Readable ? request.body : Readable.from([])
  const decoder = decoderOf(encoding)
  // If the client has disconnected already, the body emits no more events.
  if (body.destroyed) throw new HttpError(400, incomplete)
  const decoded = decoder === null ? body : body.pipe(decoder)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let failed = false
    let reservedBytes = 0
    const fail = (error: unknown) => {
      if (failed) return
      failed = true
      chunks.length = 0
      if (decoder !== null) body.unpipe(decoder)
      decoder?.destroy()
      body.resume()
      reject(error)
    }
    const limited = (take: (chunk: Buffer, sizeBytes: number) => void) => {
      let sizeBytes = 0
      return (chunk: Buffer) => {
        sizeBytes += chunk.length
        if (sizeBytes > limitBytes) fail(tooLarge(limitBytes, advice))
        else if (!failed) take(chunk, sizeBytes)
      }
    }
    const reserveUpTo = (sizeBytes: number) => {
      if (sizeBytes <= reservedBytes) return
      try {
        reserve(sizeBytes - reservedBytes)
        reservedBytes = sizeBytes
      } catch (error) {
        fail(error)
      }
    }

    body.on('error', () => fail(new HttpError(400, incomplete)))
    body.on('close', () => {
      if (!body.readableEnded) fail(new HttpError(400, incomplete))
    })
    if (decoder !== null) {
      body.on(
        'data',
        limited(() => {}),
      )
      decoder.on('error', () => fail(new HttpError(400, `The body is incomplete or not ${encoding}`)))
    }
    decoded.on(
      'data',
      limited((chunk, sizeBytes) => {
        reserveUpTo(sizeBytes)
        if (!failed) chunks.push(chunk)
      }),
    )
    decoded.on('end', () => resolve(runInSlices(concat(chunks))))
    const declaredBytes = Number(request.headers['content-length'] ?? 0)
    if (declaredBytes > limitBytes) fail(tooLarge(limitBytes, advice))
    else if (decoder === null) reserveUpTo(declaredBytes)
  })
}

/** Joins and empties `chunks`. Pauses after each copy, because copying a large body at once would block the event loop. */
export function* concat(chunks: Buffer[]): Generator<null, Buffer> {
  const [first] = chunks
  if (first !== undefined && chunks.length === 1) return first
  const joined = Buffer.allocUnsafe(chunks.reduce((sizeBytes, chunk) => sizeBytes + chunk.length, 0))
  let sizeBytes = 0
  for (const chunk of chunks.splice(0)) {
    sizeBytes += chunk.copy(joined, sizeBytes)
    yield null
  }
  return joined
}

/** The error message if the client closes the connection before the body is complete. */
const incomplete = 'The body is incomplete'

function tooLarge(limitBytes: number, advice = 'send it in several requests'): HttpError {
  const message = `The body is larger than ${limitBytes / 1e6} MB, or decompresses to more: ${advice}`
  return new HttpError(413, message)
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
      // Limits the window to 8 MB: https://www.rfc-editor.org/rfc/rfc9659
      if (encodings.includes('zstd'))
        return zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } })
  }
  // https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
  const headers = { 'accept-encoding': encodings.join(', ') }
  const message = `Unsupported Content-Encoding. Use ${encodings.join(', ')} or none`
  throw new HttpError(415, message, headers)
}
