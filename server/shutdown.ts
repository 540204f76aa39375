import type { Logger } from './logger.ts'

export type Shutdown = {
  /** Registers the stop function of a module that has just started. */
  onStop(module: string, stop: () => void | Promise<void>): void
  /** Stops all modules in reverse start order. Never rejects: logs failures and continues with the next module. */
  stop(): Promise<void>
}

/** Creates a shutdown to which each started module adds its stop function. */
export function createShutdown(logger: Pick<Logger, 'error'>): Shutdown {
  const started: { module: string; stop: () => void | Promise<void> }[] = []
  let stopping: Promise<void> | null = null

  const stopAll = async () => {
    for (const { module, stop } of started.toReversed()) {
      try {
        await stop()
      } catch (err) {
        logger.error({ err, module }, 'Failed to stop a module')
      }
    }
  }
  return {
    onStop: (module, stop) => void started.push({ module, stop }),
    stop: () => {
      stopping ??= stopAll()
      return stopping
    },
  }
}
