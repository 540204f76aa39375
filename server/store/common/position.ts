const format = /^\d{1,16}(?:\.\d{1,16}){0,63}$/

/** Returns a position: see `EventStore.since`. Engines with several writers need the newest id of each writer. */
export function writePosition(newestIds: readonly number[]): string {
  return newestIds.join('.')
}

/** Returns the ids in a position, or `null` if the text is not a position. */
export function readPosition(text: string): number[] | null {
  if (!format.test(text)) return null
  const ids = text.split('.').map(Number)
  return ids.every(Number.isSafeInteger) ? ids : null
}

/**
 * Returns the lowest id in a position. A reader that continues there misses no events. It reads some events of other
 * replicas again, which has no effect.
 */
export function lowestId(position: string): number {
  return Math.min(...(readPosition(position) ?? [0]))
}
