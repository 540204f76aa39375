/** Runs one task at a time, in the order of the calls. */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}
