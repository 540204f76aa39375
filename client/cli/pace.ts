/** How much input is read between checks. */
const checkEveryBytes = 2 * 1024 * 1024
const maxWaitMs = 5000
const dayMs = 86_400_000

/**
 * Backpressure: waits until Sixpane has stored the input. Otherwise, a file would be read faster than Sixpane can store it,
 * and the excess would be dropped. If that takes more than five seconds, reading continues without waiting until Sixpane has
 * caught up.
 * @param flush resolves when everything is stored, or after the timeout
 */
export function createPace(flush: (withinMs: number) => Promise<void>) {
  let readBytes = 0
  let isStalled = false

  return async (bytes: number): Promise<void> => {
    readBytes += bytes
    if (readBytes < checkEveryBytes || isStalled) return
    readBytes = 0
    isStalled = true
    const recovered = flush(dayMs).then(() => {
      isStalled = false
    })
    await Promise.race([recovered, flush(maxWaitMs)])
  }
}
