export type ReaderLimits = {
  maxReaders: number
  maxReadersPerClient: number
  /** A reader that has not received its buffered data within this time is dropped. */
  maxStallMs: number
  /** Only readers stalled for at least this long are dropped in favour of a new one. */
  minStallMs: number
}

export type ReaderSlot = {
  /** Marks the reader as stalled: it gets no more data until it has received what is buffered. Returns the end of the stall. */
  stall(): () => void
  release(): void
}

type Reader = { client: string; stalledSinceMs: number | null; drop: () => void }

/**
 * Limits how many clients read a streamed response, and how long each may stall. If all slots are taken, the reader that has
 * been stalled longest is dropped in favour of the new one.
 */
export function createReaderSlots(limits: ReaderLimits, nowMs = () => performance.now()) {
  const { maxReaders, maxReadersPerClient, maxStallMs, minStallMs } = limits
  const readers = new Set<Reader>()

  const dropSlowest = (candidates: readonly Reader[]): boolean => {
    const [slowest] = candidates
      .flatMap(reader =>
        reader.stalledSinceMs === null ? [] : [{ reader, stalledSinceMs: reader.stalledSinceMs }],
      )
      .sort((a, b) => a.stalledSinceMs - b.stalledSinceMs)
    if (slowest === undefined || nowMs() - slowest.stalledSinceMs < minStallMs) return false
    slowest.reader.drop()
    return true
  }

  return {
    /**
     * Takes a slot for a client address, or returns `null` if none is free.
     * @param onDrop disconnects the reader; its slot is already released
     */
    take(client: string, onDrop: () => void): ReaderSlot | null {
      const ofClient = [...readers].filter(reader => reader.client === client)
      if (ofClient.length >= maxReadersPerClient && !dropSlowest(ofClient)) return null
      if (readers.size >= maxReaders && !dropSlowest([...readers])) return null

      let timer: NodeJS.Timeout | undefined
      const release = () => {
        clearTimeout(timer)
        readers.delete(reader)
      }
      const drop = () => {
        release()
        onDrop()
      }
      const reader: Reader = { client, stalledSinceMs: null, drop }
      readers.add(reader)
      return {
        stall() {
          if (!readers.has(reader)) return () => {}
          reader.stalledSinceMs = nowMs()
          timer = setTimeout(drop, maxStallMs)
          return () => {
            clearTimeout(timer)
            reader.stalledSinceMs = null
          }
        },
        release,
      }
    },
  }
}
