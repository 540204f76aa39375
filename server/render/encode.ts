import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import negotiate from '@fastify/accept-negotiator'

export const encodings = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof encodings)[number]

/** Chooses the encoding of a page from `Accept-Encoding` (https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3). */
export function chooseEncoding(header = ''): Encoding {
  return negotiate(header.toLowerCase(), [...encodings]) ?? 'identity'
}

/**
 * Encodes a page. Synchronous, because for tens of kilobytes, the thread pool costs more than the compression itself. Uses
 * compression level 1, because few visitors get a page before it changes.
 */
export function encode(body: Buffer, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'br':
      return brotliCompressSync(body, { params: brotliParams(body.length) })
    case 'gzip':
      return gzipSync(body, { level: 1 })
    case 'identity':
      return body
  }
}

function brotliParams(sizeBytes: number) {
  return {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: 1,
    [constants.BROTLI_PARAM_SIZE_HINT]: sizeBytes,
  }
}
