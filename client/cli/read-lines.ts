import { pluralise } from '../../shared/format.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Splits a stream of chunks into lines. Truncates lines longer than `maxBytes` and appends the number of lost bytes.
 * Replaces invalid UTF-8 with U+FFFD.
 */
export function createLineReader(maxBytes: number, onLine: (text: string) => void) {
  let parts: Buffer[] = []
  let bufferedBytes = 0
  let lostBytes = 0

  const add = (bytes: Buffer) => {
    const room = maxBytes - bufferedBytes
    const fits = bytes.length <= room ? bytes : bytes.subarray(0, room)
    lostBytes += bytes.length - fits.length
    bufferedBytes += fits.length
    if (fits.length > 0) parts.push(fits)
  }
  const end = () => {
    const bytes = Buffer.concat(parts)
    const hasReturn = lostBytes === 0 && bytes.at(-1) === carriageReturn
    const text = bytes.toString('utf8', 0, bytes.length - (hasReturn ? 1 : 0))
    parts = []
    bufferedBytes = 0
    const lost = lostBytes
    lostBytes = 0
    onLine(lost === 0 ? text : `${text} … [${pluralise(lost, 'byte')} cut]`)
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
