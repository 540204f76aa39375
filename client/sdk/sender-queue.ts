/** What a line takes in memory besides its text. */
const besidesBytes = 64
/** Longer ones are read by no Sixpane (server/ingest/ndjson/read-lines.ts). */
const longestLineBytes = 1024 * 1024

type Batch = { lines: string[]; bytes: number }

/**
 * The lines that wait, in batches, in memory that is bounded. Once it is full the newest are dropped, not the oldest:
 * of an outage the lines of its beginning tell most, and what is missing is missing in one place.
 */
export function createQueue(mostBytes: number, batchBytes: number) {
  const batches: Batch[] = []
  let heldBytes = 0

  return {
    /** Takes the line where there is room for it; says whether there was. */
    add(line: string): boolean {
      const lineBytes = Buffer.byteLength(line)
      const bytes = lineBytes + besidesBytes
      if (lineBytes > longestLineBytes || heldBytes + bytes > mostBytes) return false
      const last = batches.at(-1)
      if (last === undefined || last.bytes + bytes > batchBytes) batches.push({ lines: [line], bytes })
      else {
        last.lines.push(line)
        last.bytes += bytes
      }
      heldBytes += bytes
      return true
    },
    /** The oldest lines: as many as make a batch, or all there are; none where none wait. */
    take(): string[] {
      const { lines, bytes } = batches.shift() ?? { lines: [], bytes: 0 }
      heldBytes -= bytes
      return lines
    },
    /** Whether more waits than goes into one batch. */
    hasFullBatch: () => batches.length > 1,
    isEmpty: () => batches.length === 0,
  }
}
