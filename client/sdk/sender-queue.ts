/** Memory overhead per line, in addition to its text. */
const overheadBytes = 64
/** Maximum line length on the server (`maxRecordBytes` in server/ingest/parse-json.ts). */
const maxLineBytes = 1024 * 1024

type Batch = { lines: string[]; bytes: number }

/**
 * A queue of batches with limited memory. A full queue drops new lines instead of the oldest, because the start of an outage
 * reveals the most about it. The log then also has only one gap.
 */
export function createQueue(maxBytes: number, batchBytes: number) {
  const batches: Batch[] = []
  let queuedBytes = 0

  return {
    add(line: string): 'added' | 'too long' | 'full' {
      const lineBytes = Buffer.byteLength(line)
      if (lineBytes > maxLineBytes) return 'too long'
      const bytes = lineBytes + overheadBytes
      if (queuedBytes + bytes > maxBytes) return 'full'
      const last = batches.at(-1)
      if (last === undefined || last.bytes + bytes > batchBytes) batches.push({ lines: [line], bytes })
      else {
        last.lines.push(line)
        last.bytes += bytes
      }
      queuedBytes += bytes
      return 'added'
    },
    /** Removes and returns the oldest batch, or an empty batch if the queue is empty. */
    take(): string[] {
      const { lines, bytes } = batches.shift() ?? { lines: [], bytes: 0 }
      queuedBytes -= bytes
      return lines
    },
    hasFullBatch: () => batches.length > 1,
    isEmpty: () => batches.length === 0,
  }
}
