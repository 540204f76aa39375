import { dayMs } from '../../shared/duration-units.ts'

/** Total length of the events between two waits: a fraction of the queue's capacity. */
const checkEveryLength = 2 * 1024 * 1024
const maxWaitMs = 5000

/**
 * Backpressure: waits until Sixpane has stored the input. Without it, the command would read a file faster than Sixpane can
 * store it, and the sender would drop the excess. After five seconds, reading continues without further waits until Sixpane
 * has caught up.
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
