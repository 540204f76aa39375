/** How much is read before a head at whether it is being kept as quickly as it comes. */
const checkEveryBytes = 2 * 1024 * 1024
const maxWaitMs = 5000
const dayMs = 86_400_000

/**
 * Lets the input wait for a Sixpane that keeps what it is sent, but slowly: a file is read faster than it can be
 * kept, and would be dropped. One that keeps nothing holds the input up for five seconds once, and then no more until
 * it keeps again.
 * @param flush resolves when all is kept, or after that many milliseconds
 */
export function createPace(flush: (withinMs: number) => Promise<void>) {
  let readBytes = 0
  let isAway = false

  return async (bytes: number): Promise<void> => {
    readBytes += bytes
    if (readBytes < checkEveryBytes || isAway) return
    readBytes = 0
    isAway = true
    const isBack = flush(dayMs).then(() => {
      isAway = false
    })
    await Promise.race([isBack, flush(maxWaitMs)])
  }
}
