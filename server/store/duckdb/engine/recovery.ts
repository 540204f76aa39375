/** Runs operations on a resource that may have to be replaced while it is in use. */
export type Recovery = {
  /** Runs an operation; it waits while the resource is being replaced. */
  run<T>(operation: () => Promise<T>): Promise<T>
  /** Runs an operation, and once more on a new resource if it fails because the present one is broken. */
  retry<T>(operation: () => Promise<T>): Promise<T>
  /** Replaces the resource once no operation is running. Callers that ask at the same time share one replacement. */
  replace(): Promise<void>
  /** Resolves when no operation is running. */
  idle(): Promise<void>
}

/**
 * @param options.isBroken whether an error means that the resource is of no further use
 * @param options.replace closes the present resource and opens a new one; if it fails, the next operation tries again
 */
export function createRecovery(options: {
  isBroken: (error: unknown) => boolean
  replace: () => Promise<void>
}): Recovery {
  const running = new Set<Promise<unknown>>()
  let replacing: Promise<void> | null = null
  let isUsable = true
  /** How many times the resource was replaced. */
  let generation = 0

  const idle = async () => {
    while (running.size > 0) await Promise.allSettled(running)
  }
  const replaceOnce = async () => {
    await idle()
    isUsable = false
    await options.replace()
    isUsable = true
    generation += 1
  }
  const replace = () => {
    replacing ??= replaceOnce().finally(() => {
      replacing = null
    })
    return replacing
  }
  const run = async <T>(operation: () => Promise<T>): Promise<T> => {
    while (replacing !== null || !isUsable) await replace()
    const result = operation()
    running.add(result)
    return result.finally(() => running.delete(result))
  }
  return {
    run,
    replace,
    idle,
    async retry(operation) {
      let usedGeneration = generation
      try {
        return await run(() => {
          usedGeneration = generation
          return operation()
        })
      } catch (error) {
        if (!options.isBroken(error)) throw error
        if (usedGeneration === generation) await replace()
        return run(operation)
      }
    },
  }
}
