import { createHash } from 'node:crypto'
import { runInSlices } from '../time-slice.ts'

/**
 * Returns an idempotency key derived from a request's content, so that a retry after a lost response is not stored again.
 * Identical requests have the same key and are stored once, so the content must include a time or an id.
 */
export function requestKeyOf(...parts: readonly (string | Buffer)[]): Promise<string> {
  return runInSlices(hash(parts))
}

const hashedBytes = 1024 * 1024

function* hash(parts: readonly (string | Buffer)[]): Generator<null, string> {
  const hash = createHash('sha256')
  for (const part of parts) {
    hash.update(`${part.length} `)
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    for (let start = 0; start < bytes.length; start += hashedBytes) {
      hash.update(bytes.subarray(start, start + hashedBytes))
      yield null
    }
  }
  return hash.digest('base64url').slice(0, 22)
}
