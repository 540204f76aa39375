/** Thrown if the store does not respond in time. It may still complete the operation later. */
export class SlowStoreError extends Error {
  override name = 'SlowStoreError'
}

/**
 * Waits for the store, but only until the deadline, because the store may hang.
 * @throws the store's error, or SlowStoreError after the deadline
 */
export function withinDeadline<Value>(operation: Promise<Value>, deadlineMs: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new SlowStoreError(`The store did not respond within ${deadlineMs} ms`))
    const timer = setTimeout(tooLate, deadlineMs)
    operation.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
