import type { Logger } from './logger.ts'

export type Shutdown = {
  /** Registers how to stop a module that has just started. */
  onStop(module: string, stop: () => void | Promise<void>): void
  /** Stops every module, the last started first. Never rejects: a failure is logged and the rest is still stopped. */
  stop(): Promise<void>
}

/** One orderly shutdown for everything that the process has started. */
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
