/** Total length of the events between checks, which is a fraction of the queue's capacity. */
const checkEveryLength = 2 * 1024 * 1024
const maxWaitMs = 5000
const dayMs = 86_400_000

/**
 * Backpressure: waits until Sixpane has stored the input. Otherwise, a file would be read faster than Sixpane can store it,
 * and the excess would be dropped. After five seconds, reading continues, and further waits are skipped until Sixpane has
 * caught up.
 * @param flush resolves when everything is stored, or after the timeout
 */
export function createPace(flush: (withinMs: number) => Promise<void>) {
  let length = 0
  let isStalled = false

  return async (eventsLength: number): Promise<void> => {
    length += eventsLength
    if (length < checkEveryLength || isStalled) return
    length = 0
    isStalled = true
    const recovered = flush(dayMs).then(() => {
      isStalled = false
    })
    await Promise.race([recovered, flush(maxWaitMs)])
  }
}
