import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

export const encodings = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof encodings)[number]

/**
 * Chooses the encoding of a page from `Accept-Encoding` (RFC 9110, 12.5.3): the first of ours that is accepted
 * at all. A visitor's own order between them is not worth the parsing.
 */
export function chooseEncoding(header: string | undefined): Encoding {
  if (header === undefined) return 'identity'
  const refused = /(?:^|,)\s*(\w+)\s*;\s*q=0(?:\.0*)?\s*(?=,|$)/g
  const accepted = header.toLowerCase().replace(refused, '')
  return (
    encodings.find(encoding => new RegExp(`(?:^|[\\s,])${encoding}(?:$|[\\s,;])`).test(accepted)) ??
    'identity'
  )
}

/**
 * Encodes a page. At once rather than through the thread pool: for some tens of kilobytes the way there and
 * back costs more than the work (`npm run bench` measures both), and at the lowest levels, because a page is
 * encoded once for a handful of readers.
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
