/** Semaphore: runs at most `limit` tasks at once; the rest queue in order. */
export function createSemaphore(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = []
  let free = limit
  return async task => {
    if (free === 0) await new Promise<void>(resolve => queue.push(resolve))
    else free -= 1
    try {
      return await task()
    } finally {
      const next = queue.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
