export type ReaderLimits = {
  maxReaders: number
  maxReadersPerClient: number
  /** A reader that has not received its buffered data within this time is dropped. */
  maxStallMs: number
  /** After a stall of this length, a reader can be dropped in favour of a new one. */
  minStallMs: number
  /**
   * After this time, the oldest reader can be dropped in favour of a new one even if it is not stalled, because it may not
   * be reading at all.
   */
  minTurnMs: number
}

export type ReaderSlot = {
  /**
   * Marks the reader as stalled. Call the returned function when the reader has received the buffered data.
   */
  stall(): () => void
  release(): void
}

type Reader = { client: string; sinceMs: number; stalledSinceMs: number | null; drop: () => void }

/**
 * Limits the number of clients that read a streamed response, and how long each may stall. If all slots are taken, a new
 * reader replaces the one that has been stalled longest or, if none is stalled, the oldest one, unless it is younger than
 * `minTurnMs`.
 */
export function createReaderSlots(limits: ReaderLimits, nowMs = () => performance.now()) {
  const { maxReaders, maxReadersPerClient, maxStallMs, minStallMs, minTurnMs } = limits
  const readers = new Set<Reader>()

  const dropOne = (candidates: readonly Reader[]): boolean => {
    const stalled = candidates
      .filter(reader => stallMs(reader) >= minStallMs)
      .sort((a, b) => stallMs(b) - stallMs(a))
    // A set iterates over its oldest entries first.
    const old = candidates.filter(({ sinceMs }) => nowMs() - sinceMs >= minTurnMs)
    const [reader] = [...stalled, ...old]
    reader?.drop()
    return reader !== undefined
  }
  const stallMs = ({ stalledSinceMs }: Reader) => (stalledSinceMs === null ? -1 : nowMs() - stalledSinceMs)

  return {
    /**
     * Takes a slot for a client address, or returns `null` if none is free.
     * @param onDrop disconnects the reader; its slot is already released
     */
    take(client: string, onDrop: () => void): ReaderSlot | null {
      const clientReaders = [...readers].filter(reader => reader.client === client)
      if (clientReaders.length >= maxReadersPerClient && !dropOne(clientReaders)) return null
      if (readers.size >= maxReaders && !dropOne([...readers])) return null

      let timer: NodeJS.Timeout | undefined
      const release = () => {
        clearTimeout(timer)
        readers.delete(reader)
      }
      const drop = () => {
        release()
        onDrop()
      }
      const reader: Reader = { client, sinceMs: nowMs(), stalledSinceMs: null, drop }
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
