/** Maximum number of characters that wait. Beyond it, events are sent even if earlier ones are pending. */
const maxWaitingChars = 1024 * 1024

type Waiting = { position: number; event: string }

/**
 * Sends events in the order of their first lines, because the log shows events with equal times in the order in which they
 * were sent. An event waits while earlier lines of another container or stream are pending.
 */
export function createEventOrder(send: (event: string) => void) {
  const waiting: Waiting[] = []
  let waitingChars = 0

  return {
    add(position: number, event: string): void {
      const index = waiting.findLastIndex(each => each.position <= position) + 1
      waiting.splice(index, 0, { position, event })
      waitingChars += event.length
    },
    /** Sends the events before a position. */
    release(position: number): void {
      for (
        let [next] = waiting;
        next !== undefined && (next.position < position || waitingChars > maxWaitingChars);
        [next] = waiting
      ) {
        waiting.shift()
        waitingChars -= next.event.length
        send(next.event)
      }
    },
  }
}
