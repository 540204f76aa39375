import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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

/**
 * Reads a request's body into memory, decompressed, with the bound on both: a compressed body is never unpacked
 * further than the limit.
 * @param encoding the `Content-Encoding`, if any: gzip, deflate, br, or zstd where the runtime has it
 * @throws RefusedBodyError
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  limitBytes: number,
): Promise<Buffer> {
  const decoder = decoderOf(encoding)
  if (decoder === null) return await pipeline(body, source => collect(source, limitBytes))
  try {
    return await pipeline(
      body,
      source => bounded(source, limitBytes),
      decoder,
      source => collect(source, limitBytes),
    )
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (/^(Z_|ERR_|HPE_)/.test(code) && !code.startsWith('ERR_STREAM')) {
      throw new RefusedBodyError(
        400,
        `The body could not be decompressed as ${encoding}: it is broken or cut off`,
      )
    }
    throw error
  }
}

function decoderOf(encoding: string | undefined): NodeJS.ReadWriteStream | null {
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
    case 'zstd': {
      // From Node 22.15 on.
      const create: unknown = Reflect.get(zlib, 'createZstdDecompress')
      if (typeof create === 'function') return Reflect.apply(create, zlib, [])
    }
  }
  throw new RefusedBodyError(
    415,
    'This Content-Encoding is not supported here: use gzip, deflate, br or none',
  )
}

async function* bounded(source: AsyncIterable<string | Buffer>, limitBytes: number): AsyncGenerator<Buffer> {
  let sizeBytes = 0
  for await (const each of source) {
    const chunk = typeof each === 'string' ? Buffer.from(each) : each
    sizeBytes += chunk.length
    if (sizeBytes > limitBytes) throw tooLarge(limitBytes)
    yield chunk
  }
}

async function collect(source: AsyncIterable<string | Buffer>, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of bounded(source, limitBytes)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function tooLarge(limitBytes: number): RefusedBodyError {
  const limit = `${limitBytes / 1e6} MB`
  return new RefusedBodyError(
    413,
    `The body is larger than ${limit} after decompression: send smaller batches`,
  )
}
