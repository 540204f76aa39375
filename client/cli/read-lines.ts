const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Cuts what arrives in pieces into lines. Of a line longer than `maxBytes` the rest is dropped, and a mark at its
 * end says how much; invalid UTF-8 becomes U+FFFD.
 */
export function createLineReader(maxBytes: number, take: (text: string) => void) {
  let parts: Buffer[] = []
  let keptBytes = 0
  let lostBytes = 0

  const add = (bytes: Buffer) => {
    const room = maxBytes - keptBytes
    const fits = bytes.length <= room ? bytes : bytes.subarray(0, room)
    lostBytes += bytes.length - fits.length
    keptBytes += fits.length
    if (fits.length > 0) parts.push(fits)
  }
  const end = () => {
    const bytes = Buffer.concat(parts)
    const hasReturn = lostBytes === 0 && bytes.at(-1) === carriageReturn
    const text = bytes.toString('utf8', 0, bytes.length - (hasReturn ? 1 : 0))
    parts = []
    keptBytes = 0
    const lost = lostBytes
    lostBytes = 0
    take(lost === 0 ? text : `${text} … [${lost} bytes cut]`)
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
    /** Takes what has no line feed yet for a line. */
    end(): void {
      if (keptBytes > 0) end()
    },
  }
}
