/** Thrown if the server is too busy to prepare a page in time. */
export class BusyError extends Error {
  override name = 'BusyError'
}

export type Admission = {
  /**
   * Runs the work immediately, or when it is the visitor's turn.
   * @param visitor identifies the visitor, so that visitors can take turns
   * @param signal removes the work from the queue when aborted
   * @throws BusyError if the queue is full or the work does not start in time; the signal's reason; an error from the work
   */
  run<T>(visitor: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

type Waiter = { start: () => void; reject: (error: BusyError) => void }

/**
 * Limits the number of pages prepared at a time, because preparing too many at once delays all of them. Visitors take turns
 * in the queue. If it is full, the newest page of the visitor with the most waiting pages is rejected. If several
 * visitors have the most, the one whose turn comes last loses a page.
 */
export function createAdmission({
  maxRunning,
  maxWaiting,
  maxWaitMs,
}: {
  maxRunning: number
  maxWaiting: number
  maxWaitMs: number
}): Admission {
  let running = 0
  let waiting = 0
  /** Waiting pages by visitor, in turn order. Visitors without waiting pages have no entry. */
  const queues = new Map<string, Waiter[]>()

  const remove = (visitor: string, waiter: Waiter) => {
    const rest = queues.get(visitor)?.filter(each => each !== waiter) ?? []
    if (rest.length === 0) queues.delete(visitor)
    else queues.set(visitor, rest)
    waiting -= 1
  }

  const startNext = () => {
    const [next] = queues
    if (next === undefined || running >= maxRunning) return
    const [visitor, [waiter, ...rest]] = next
    // Moves the visitor to the end of the queue.
    queues.delete(visitor)
    if (rest.length > 0) queues.set(visitor, rest)
    waiting -= 1
    running += 1
    waiter?.start()
  }

  const rejectOne = () => {
    const longest = [...queues].reduce((most, queue) => (queue[1].length >= most[1].length ? queue : most))
    const newest = longest[1].at(-1)
    newest?.reject(new BusyError(`More than ${maxWaiting} pages are waiting`))
  }

  const waitForTurn = (visitor: string, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = (error: unknown) => {
        settle()
        remove(visitor, waiter)
        reject(error)
      }
      const abort = () => leave(signal.reason)
      const timeout = setTimeout(
        () => leave(new BusyError(`The page could not be prepared within ${maxWaitMs} ms`)),
        maxWaitMs,
      )
      const settle = () => {
        clearTimeout(timeout)
        signal.removeEventListener('abort', abort)
      }
      const waiter: Waiter = {
        start() {
          settle()
          resolve()
        },
        reject: leave,
      }
      signal.addEventListener('abort', abort, { once: true })
      queues.set(visitor, [...(queues.get(visitor) ?? []), waiter])
      waiting += 1
      if (waiting > maxWaiting) rejectOne()
    })

  return {
    async run(visitor, signal, work) {
      signal.throwIfAborted()
      if (running < maxRunning) running += 1
      else await waitForTurn(visitor, signal)
      try {
        return await work()
      } finally {
        running -= 1
        startNext()
      }
    },
  }
}
