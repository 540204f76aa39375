import type { HashFilter } from './hash-set.ts'

/** The text that the events of a block may contain. The ids of these events are above `afterId`, up to `lastId`. */
export type BlockFilter = {
  readonly afterId: number
  readonly lastId: number
  /** Short grams of each group of columns. */
  readonly message: HashFilter
  readonly exception: HashFilter
  readonly context: HashFilter
  readonly ids: HashFilter
  /** Long grams of all columns, and whole short ids. */
  readonly long: HashFilter
}

const parts = ['message', 'exception', 'context', 'ids', 'long'] as const
const sizeBytes = 4

/** Converts a filter to its stored format: the size and the bits of each part. A missing part has size 0. */
export function encodeFilter(filter: Pick<BlockFilter, (typeof parts)[number]>): Uint8Array {
  const pieces = parts.flatMap(part => {
    const bits = filter[part] ?? new Uint8Array(0)
    const size = Buffer.alloc(sizeBytes)
    size.writeUInt32LE(bits.length)
    return [size, bits]
  })
  return Buffer.concat(pieces)
}

/** @throws TypeError if the bytes end early */
export function decodeFilter(afterId: number, lastId: number, bytes: Uint8Array): BlockFilter {
  let offset = 0
  const next = (length: number) => {
    if (offset + length > bytes.length) throw new TypeError('The store contains an incomplete search filter')
    offset += length
    return bytes.subarray(offset - length, offset)
  }
  const nextFilter = (): HashFilter => {
    const [a = 0, b = 0, c = 0, d = 0] = next(sizeBytes)
    const size = a + b * 2 ** 8 + c * 2 ** 16 + d * 2 ** 24
    return size === 0 ? null : next(size)
  }
  return {
    afterId,
    lastId,
    message: nextFilter(),
    exception: nextFilter(),
    context: nextFilter(),
    ids: nextFilter(),
    long: nextFilter(),
  }
}

/** The memory usage of a filter. */
export function bytesOf(filter: BlockFilter): number {
  return parts.reduce((sum, part) => sum + (filter[part]?.length ?? 0), 100)
}
