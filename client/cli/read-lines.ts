const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Splits a stream of chunks into lines. Truncates lines longer than `maxBytes`. Replaces invalid UTF-8 with U+FFFD.
 * @param onLine `cutLength` is the number of characters that were cut off
 */
export function createLineReader(maxBytes: number, onLine: (text: string, cutLength: number) => void) {
  let parts: Buffer[] = []
  let bufferedBytes = 0
  let cutLength = 0

  const add = (bytes: Buffer) => {
    const freeBytes = maxBytes - bufferedBytes
    const fits = bytes.length <= freeBytes ? bytes : bytes.subarray(0, freeBytes)
    cutLength += countCharacters(bytes.subarray(fits.length))
    bufferedBytes += fits.length
    if (fits.length > 0) parts.push(fits)
  }
  const end = () => {
    const bytes = Buffer.concat(parts)
    const hasReturn = cutLength === 0 && bytes.at(-1) === carriageReturn
    const text = bytes.toString('utf8', 0, bytes.length - (hasReturn ? 1 : 0))
    parts = []
    bufferedBytes = 0
    const cut = cutLength
    cutLength = 0
    onLine(text, cut)
  }

  return {
    read(chunk: Buffer): void {
      let from = 0
      for (let to = chunk.indexOf(lineFeed); to !== -1; to = chunk.indexOf(lineFeed, from)) {
        add(chunk.subarray(from, to))
        end()
        from = to + 1
      }
      add(chunk.subarray(from))
    },
    /** Call this at the end of the input. Emits the last line if it does not end with a line feed. */
    end(): void {
      if (bufferedBytes > 0) end()
    },
  }
}

/** Counts the characters that start in the bytes, because the first one may have started before. */
function countCharacters(utf8: Buffer): number {
  let count = 0
  for (const byte of utf8) if ((byte & 0xc0) !== 0x80) count += 1
  return count
}
