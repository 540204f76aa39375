import fc from 'fast-check'
import { compress } from 'snappyjs'
import t from 'tap'
import { HttpError } from '../../http/http-error.ts'
import { runToEnd } from '../../testing/pauses.ts'
import { sliceBytes } from '../json-cursor.ts'
import { decompressSnappy } from './snappy.ts'

const limitBytes = 100_000
const limits = { limitBytes, reserve: () => {} }
const decompress = (packed: Uint8Array) => runToEnd(decompressSnappy(packed, limits)).result

/** Returns the status of the rejection, or `null` if the bytes are valid. */
function statusOf(packed: Uint8Array): number | null {
  try {
    decompress(packed)
    return null
  } catch (error) {
    if (error instanceof HttpError) return error.statusCode
    throw error
  }
}

t.test('property: decompression restores the original bytes', async t => {
  const repeated = fc
    .tuple(fc.uint8Array({ maxLength: 50 }), fc.nat({ max: 400 }))
    .map(([piece, times]) => Buffer.concat(Array.from({ length: times }, () => piece)))
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 1000 }), repeated)
  fc.assert(fc.property(bytes, plain => decompress(compress(Buffer.from(plain))).equals(plain)))
  const long = Buffer.from(Array.from({ length: 90_000 }, (_, index) => (index * index) % 251))
  t.same(decompress(compress(long)), long)
})

t.test('pauses for every kind of input, and reserves memory for the declared length', async t => {
  const plain = Buffer.alloc(3 * sliceBytes, 'a')
  const reserved: number[] = []
  const limits = { limitBytes: plain.length, reserve: (sizeBytes: number) => reserved.push(sizeBytes) }
  const single = Buffer.concat(Array.from({ length: plain.length }, () => Buffer.of(0, 0x61)))
  const length = compress(plain).subarray(0, 3)
  for (const packed of [compress(plain), Buffer.concat([length, single])]) {
    const { result, pauses } = runToEnd(decompressSnappy(packed, limits))
    t.ok(result.equals(plain))
    t.ok(pauses >= 2, `${pauses} pauses`)
  }
  t.same(reserved, [plain.length, plain.length])
})

t.test('decompresses every kind of element', async t => {
  const packed = [
    30, // the declared length
    ...[4, 0x61, 0x62], // a two-byte literal: ab
    ...[0b000_010_01, 2], // a six-byte copy at offset 2, which overlaps its output
    ...[(3 << 2) | 2, 8, 0], // a four-byte copy at offset 8
    ...[(3 << 2) | 3, 12, 0, 0, 0], // a four-byte copy with a longer offset field
    ...[60 << 2, 5, ...Buffer.from('cdefgh')], // a literal with a one-byte length
    ...[(63 << 2) | 0, 7, 0, 0, 0, ...Buffer.from('ijklmnop')], // a literal with a four-byte length
  ]
  t.equal(decompress(Buffer.from(packed)).toString(), 'ababababababababcdefghijklmnop')
})

t.test('rejects a declared length over the size limit', async t => {
  const large: number[][] = [
    [0xff, 0xff, 0xff, 0xff, 0x0f],
    [0xff, 0xff, 0xff, 0xff, 0x7f],
    [0xa1, 0x8d, 0x06],
  ]
  for (const packed of large) t.equal(statusOf(Buffer.from(packed)), 413)
  t.equal(statusOf(compress(Buffer.alloc(limitBytes + 1))), 413)
})

t.test('rejects corrupt bytes', async t => {
  const broken: number[][] = [
    [],
    [0x80],
    [0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    [1], // nothing after the length
    [1, 4, 0x61], // a truncated literal
    [1, 4, 0x61, 0x62], // more than the declared length
    [4, 0, 0x61, 0x01, 0], // a copy with offset 0
    [5, 0, 0x61, 0x01, 2], // a copy from before the start
    [4, 0, 0x61, 0x01, 1], // a copy beyond the declared length
    [10, 0xfc, 0xfa, 0xff, 0xff, 0xff], // a negative length
    [...Buffer.from('{"streams":[]}')],
  ]
  for (const packed of broken) t.equal(statusOf(Buffer.from(packed)), 400, packed.join(' '))
})

t.test('property: any bytes are decompressed or rejected', async () => {
  const packed = fc.uint8Array({ maxLength: 500 }).map(plain => compress(Buffer.from(plain)))
  const flips = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 5 })
  const mutated = fc.tuple(packed, flips, fc.nat({ max: 20 })).map(([bytes, places, cut]) => {
    for (const [at, value] of places) bytes[at % bytes.length] = value
    return bytes.subarray(0, Math.max(0, bytes.length - cut))
  })
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), mutated), bytes => {
      const status = statusOf(bytes)
      return status === null || status === 400 || status === 413
    }),
    { numRuns: 2000 },
  )
})
