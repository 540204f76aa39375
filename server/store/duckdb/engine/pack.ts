import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { list, number } from '../../common/rows.ts'

type NumberArray = Uint16Array | Uint32Array | Float64Array

const sizeBytes = 4

/**
 * Packs a JSON value and arrays of numbers into compressed bytes. The numbers are little-endian, as on all platforms for
 * which the engine is available.
 */
export async function pack(header: unknown, arrays: readonly NumberArray[]): Promise<Uint8Array> {
  const text = Buffer.from(JSON.stringify([header, arrays.map(({ byteLength }) => byteLength)]))
  const size = Buffer.alloc(sizeBytes)
  size.writeUInt32LE(text.length)
  const contents = arrays.map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  )
  return promisify(deflateRaw)(Buffer.concat([size, text, ...contents]), { level: 1 })
}

/** @throws TypeError or Error if the bytes are not the result of `pack` */
export async function unpack(packed: Uint8Array): Promise<{ header: unknown; arrays: ArrayBuffer[] }> {
  const bytes = await promisify(inflateRaw)(packed)
  let offset = 0
  const next = (length: number) => {
    if (offset + length > bytes.length) throw new TypeError('The store contains an incomplete summary')
    offset += length
    return bytes.subarray(offset - length, offset)
  }
  const text = next(next(sizeBytes).readUInt32LE()).toString()
  const [header, lengths]: unknown[] = list(JSON.parse(text), value => value)
  // Copied, because the offset of an array in its buffer must be a multiple of the size of its numbers.
  const arrays = list(lengths, number).map(length => new Uint8Array(next(length)).buffer)
  return { header, arrays }
}
