import fc from 'fast-check'
import { compress } from 'snappyjs'
import t from 'tap'
import { HttpError } from '../../http/http-error.ts'
import { unpackSnappy } from './snappy.ts'

const limitBytes = 100_000

/** The status with which these bytes are refused; `null` where they are not. */
function refusal(packed: Uint8Array): number | null {
  try {
    unpackSnappy(packed, limitBytes)
    return null
  } catch (error) {
    if (error instanceof HttpError) return error.statusCode
    throw error
  }
}

t.test('what was packed is unpacked', async t => {
  const repeated = fc
    .tuple(fc.uint8Array({ maxLength: 50 }), fc.nat({ max: 400 }))
    .map(([piece, times]) => Buffer.concat(Array.from({ length: times }, () => piece)))
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 1000 }), repeated)
  fc.assert(fc.property(bytes, plain => unpackSnappy(compress(Buffer.from(plain)), limitBytes).equals(plain)))
  const long = Buffer.from(Array.from({ length: 90_000 }, (_, index) => (index * index) % 251))
  t.same(unpackSnappy(compress(long), limitBytes), long)
})

t.test('each kind of element is read', async t => {
  const packed = [
    30, // the length
    ...[4, 0x61, 0x62], // a literal of two: ab
    ...[0b000_010_01, 2], // a copy of six from two back, into itself
    ...[(3 << 2) | 2, 8, 0], // a copy of four from eight back
    ...[(3 << 2) | 3, 12, 0, 0, 0], // the same with a longer offset
    ...[60 << 2, 5, ...Buffer.from('cdefgh')], // a literal with its length behind
    ...[(63 << 2) | 0, 7, 0, 0, 0, ...Buffer.from('ijklmnop')], // and with four bytes of it
  ]
  t.equal(unpackSnappy(Buffer.from(packed), limitBytes).toString(), 'ababababababababcdefghijklmnop')
})

t.test('what claims to be too large is not unpacked', async t => {
  const large: number[][] = [
    [0xff, 0xff, 0xff, 0xff, 0x0f],
    [0xff, 0xff, 0xff, 0xff, 0x7f],
    [0xa1, 0x8d, 0x06],
  ]
  for (const packed of large) t.equal(refusal(Buffer.from(packed)), 413)
  t.equal(refusal(compress(Buffer.alloc(limitBytes + 1))), 413)
})

t.test('broken bytes are refused', async t => {
  const broken: number[][] = [
    [],
    [0x80],
    [0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    [1], // nothing behind the length
    [1, 4, 0x61], // a literal without its end
    [1, 4, 0x61, 0x62], // more than was claimed
    [4, 0, 0x61, 0x01, 0], // a copy from nowhere
    [5, 0, 0x61, 0x01, 2], // from before the start
    [4, 0, 0x61, 0x01, 1], // beyond the length
    [10, 0xfc, 0xfa, 0xff, 0xff, 0xff], // a length that would lead back
    [...Buffer.from('{"streams":[]}')],
  ]
  for (const packed of broken) t.equal(refusal(Buffer.from(packed)), 400, packed.join(' '))
})

t.test('whatever the bytes, they are unpacked or refused', async () => {
  const packed = fc.uint8Array({ maxLength: 500 }).map(plain => compress(Buffer.from(plain)))
  const flips = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 5 })
  const mutated = fc.tuple(packed, flips, fc.nat({ max: 20 })).map(([bytes, places, cut]) => {
    for (const [at, value] of places) bytes[at % bytes.length] = value
    return bytes.subarray(0, Math.max(0, bytes.length - cut))
  })
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), mutated), bytes => {
      const status = refusal(bytes)
      return status === null || status === 400 || status === 413
    }),
    { numRuns: 2000 },
  )
})
