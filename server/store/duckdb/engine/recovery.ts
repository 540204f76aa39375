/** Runs operations on a resource that may break and need to be replaced. */
export type Recovery = {
  /** Runs an operation. Waits while the resource is being replaced. */
  run<T>(operation: () => Promise<T>): Promise<T>
  /** Runs an operation, and retries it on a new resource if it fails because the current one is broken. */
  retry<T>(operation: () => Promise<T>): Promise<T>
  /**
   * Replaces the resource when no operation is running. Simultaneous calls share one replacement.
   * @param reason the error that the resource caused
   */
  replace(reason: unknown): Promise<void>
  /** Runs a final operation after all others have ended. Skips it if the resource could not be replaced. */
  finish(operation: () => Promise<void>): Promise<void>
}

/**
 * @param options.isBroken whether an error means that the resource can no longer be used
 * @param options.replace closes the current resource and opens a new one; if it fails, the next operation tries again
 */
export function createRecovery(options: {
  isBroken: (error: unknown) => boolean
  replace: (reason: unknown) => Promise<void>
}): Recovery {
  const running = new Set<Promise<unknown>>()
  let replacing: Promise<void> | null = null
  let isUsable = true
  let lastReason: unknown
  /** How many times the resource was replaced. */
  let generation = 0

  const idle = async () => {
    while (running.size > 0) await Promise.allSettled(running)
  }
  const replaceOnce = async (reason: unknown) => {
    await idle()
    isUsable = false
    lastReason = reason
    await options.replace(reason)
    isUsable = true
    generation += 1
  }
  const replace = (reason: unknown) => {
    replacing ??= replaceOnce(reason).finally(() => {
      replacing = null
    })
    return replacing
  }
  const run = async <T>(operation: () => Promise<T>): Promise<T> => {
    while (replacing !== null || !isUsable) await replace(lastReason)
    const result = operation()
    running.add(result)
    return result.finally(() => running.delete(result))
  }
  return {
    run,
    replace,
    async finish(operation) {
      await idle()
      while (replacing !== null) await replacing.catch(() => {})
      if (isUsable) await run(operation)
    },
    async retry(operation) {
      let usedGeneration = generation
      try {
        return await run(() => {
          usedGeneration = generation
          return operation()
        })
      } catch (error) {
        if (!options.isBroken(error)) throw error
        if (usedGeneration === generation) await replace(error)
        return run(operation)
      }
    },
  }
}
