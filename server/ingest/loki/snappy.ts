import { HttpError } from '../../http/http-error.ts'
import type { BodyLimits } from '../../http/read-body.ts'
import { sliceBytes } from '../json-cursor.ts'

/**
 * Decompresses a raw Snappy block. Rejects a declared length that exceeds the limit or differs from the length of the
 * content. Yields `null` after every `sliceBytes`, so that the caller can pause. The decoders on npm trust their input:
 * snappyjs 0.7.0 hangs on a malicious eight-byte block, and reads past the end of its output.
 * @see https://github.com/google/snappy/blob/main/format_description.txt
 * @throws HttpError 400 for corrupt input, 413 for output over the limit, 429 if the memory budget is used up
 */
export function* decompressSnappy(
  packed: Uint8Array,
  { limitBytes, reserve }: BodyLimits,
): Generator<null, Buffer> {
  let at = 0
  /** Reads the next bytes as a little-endian number. */
  const number = (bytes: number) => {
    let value = 0
    for (let index = 0; index < bytes; index += 1) value += byte() * 256 ** index
    return value
  }
  const byte = () => packed[at++] ?? broken()

  let lengthBytes = 0
  for (let shift = 0, more = true; more; shift += 7) {
    if (shift > 28) broken()
    const group = byte()
    lengthBytes += (group & 0x7f) * 2 ** shift
    more = group >= 0x80
  }
  if (lengthBytes > limitBytes) {
    throw new HttpError(
      413,
      `The body decompresses to more than ${limitBytes / 1e6} MB: send it in several requests`,
    )
  }

  reserve(lengthBytes)
  const unpacked = Buffer.allocUnsafe(lengthBytes)
  let done = 0
  let pauseAt = sliceBytes
  while (at < packed.length) {
    // Count input and output, because their ratio varies widely.
    if (at + done >= pauseAt) {
      pauseAt = at + done + sliceBytes
      yield null
    }
    const tag = byte()
    const kind = tag & 3
    const high = tag >>> 2
    if (kind === 0) {
      const length = 1 + (high < 60 ? high : number(high - 59))
      if (length > packed.length - at || length > lengthBytes - done) broken()
      unpacked.set(packed.subarray(at, at + length), done)
      at += length
      done += length
      continue
    }
    const length = kind === 1 ? (high & 7) + 4 : high + 1
    const offset = kind === 1 ? (high >>> 3) * 256 + byte() : number(kind === 2 ? 2 : 4)
    if (offset === 0 || offset > done || length > lengthBytes - done) broken()
    // A copy may overlap its own output, which repeats bytes.
    for (const end = done + length; done < end; done += 1) unpacked[done] = unpacked[done - offset] ?? 0
  }
  if (done !== lengthBytes) broken()
  return unpacked
}

function broken(): never {
  throw new HttpError(400, 'The body is incomplete, or not Snappy. JSON needs Content-Type: application/json')
}
