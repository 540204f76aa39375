import { RefusedBodyError } from '../read-body.ts'

/**
 * Unpacks a block of raw snappy, as the push API has it. The length that it claims is held against the limit before
 * anything is unpacked, and what it holds must have that length: time and memory grow with the two alone.
 *
 * The format is small, and the decoders of npm trust it too far: snappyjs 0.7.0 never returns from a literal whose
 * length of four bytes reads as negative (eight bytes do), and goes on past the end of what it unpacks to.
 * @see https://github.com/google/snappy/blob/main/format_description.txt
 * @throws RefusedBodyError
 */
export function unpackSnappy(packed: Uint8Array, limitBytes: number): Buffer {
  let at = 0
  /** The next bytes as a number, the lowest first. */
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
    throw new RefusedBodyError(
      413,
      `The body unpacks to more than ${limitBytes / 1e6} MB: send it in several requests`,
    )
  }

  const unpacked = Buffer.allocUnsafe(lengthBytes)
  let done = 0
  while (at < packed.length) {
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
    // A copy may reach into what it writes itself: it repeats then.
    for (const end = done + length; done < end; done += 1) unpacked[done] = unpacked[done - offset] ?? 0
  }
  if (done !== lengthBytes) broken()
  return unpacked
}

function broken(): never {
  throw new RefusedBodyError(
    400,
    'The body is not snappy, or not whole: JSON needs Content-Type: application/json',
  )
}
