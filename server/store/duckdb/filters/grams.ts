/**
 * Called with each hash of a text. The text must be in lower case. Grams contain only printable ASCII characters, because
 * JavaScript and the engine convert other letters to lower case differently. Any other byte ends a gram.
 */
export type OnHash = (hash: number) => void

const firstPrintable = 0x20
const lastPrintable = 0x7e

function isPrintable(byte: number): boolean {
  return byte >= firstPrintable && byte <= lastPrintable
}

/** The text to hash, between `from` and `to`. Long text is divided into spans. */
export type Span = { bytes: Uint8Array; from: number; to: number }

export function wholeSpan(text: string): Span {
  const bytes = Buffer.from(text, 'latin1')
  return { bytes, from: 0, to: bytes.length }
}

const shortGramLength = 4

/** Hashes every sequence of four characters. */
export function shortGrams({ bytes, from, to }: Span, onHash: OnHash): void {
  let gram = 0
  let length = 0
  for (let index = from; index < to; index += 1) {
    const byte = bytes[index] ?? 0
    if (!isPrintable(byte)) {
      length = 0
      continue
    }
    gram = (gram << 8) | byte
    length += 1
    if (length >= shortGramLength) onHash(mix(gram) >>> 10)
  }
}

/** The length of a long gram, and the number of consecutive grams from which one is chosen. */
const longGramLength = 8
const gramsPerWindow = 9

/** Any text of this length contains a chosen gram. */
export const longTextLength = longGramLength + gramsPerWindow - 1

const base = 0x01000193
/** `base` to the power of `longGramLength`, used to remove the oldest character from the rolling hash. */
const removalFactor = power(base, longGramLength)

/**
 * Hashes about every fifth sequence of eight characters: of nine consecutive sequences, the one with the lowest hash. The
 * choice depends only on nearby characters, so the same text within other text has the same hashes
 * (https://doi.org/10.1093/bioinformatics/bth408, “minimizers”). Short grams cannot distinguish ids in hex, because the ids
 * in a block contain every sequence of four digits. The ids contain few of the possible sequences of eight, but too many to
 * store all of them.
 */
export function longGrams({ bytes, from, to }: Span, onHash: OnHash): void {
  const window = new Uint32Array(gramsPerWindow)
  let rolling = 0
  let length = 0
  let lowest = 0
  let lowestAt = -1
  for (let index = from; index < to; index += 1) {
    const byte = bytes[index] ?? 0
    if (!isPrintable(byte)) {
      length = 0
      rolling = 0
      continue
    }
    rolling = (Math.imul(rolling, base) + byte) | 0
    if (length >= longGramLength)
      rolling = (rolling - Math.imul(removalFactor, bytes[index - longGramLength] ?? 0)) | 0
    length += 1
    const gram = length - longGramLength
    if (gram < 0) continue
    const order = mix(rolling)
    window[gram % gramsPerWindow] = order
    if (gram < gramsPerWindow - 1) continue
    if (gram === gramsPerWindow - 1 || gram - lowestAt >= gramsPerWindow) {
      lowestAt = lowestIn(window, gram)
    } else if (order < lowest) {
      lowestAt = gram
    } else continue
    lowest = window[lowestAt % gramsPerWindow] ?? 0
    // Mixed again, because the minimum of nine hashes is not evenly distributed.
    onHash(mix(lowest ^ base) >>> 10)
  }
}

/** The gram with the lowest hash in the window that ends at `last`. */
function lowestIn(window: Uint32Array, last: number): number {
  let lowestAt = last
  for (let gram = last - 1; gram > last - gramsPerWindow; gram -= 1) {
    if ((window[gram % gramsPerWindow] ?? 0) < (window[lowestAt % gramsPerWindow] ?? 0)) lowestAt = gram
  }
  return lowestAt
}

/** Ids shorter than this are also hashed as a whole, because they have too few long grams. */
export const shortIdLength = 24

/** The number of hashes per short id. More hashes would cause fewer false positives, but make the filter larger. */
const hashesPerId = 5

/** Hashes a whole text several times. */
export function wholeText({ bytes, from, to }: Span, onHash: OnHash): void {
  let hash = 0x811c9dc5
  for (let index = from; index < to; index += 1) hash = Math.imul(hash ^ (bytes[index] ?? 0), base)
  for (let round = 1; round <= hashesPerId; round += 1)
    onHash(mix(hash + Math.imul(round, 0x9e3779b9)) >>> 10)
}

/** Distributes similar numbers over the 32-bit range. */
function mix(value: number): number {
  let mixed = value ^ (value >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function power(value: number, exponent: number): number {
  let result = 1
  for (let round = 0; round < exponent; round += 1) result = Math.imul(result, value)
  return result
}
