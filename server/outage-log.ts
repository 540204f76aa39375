import type { Logger } from './logger.ts'

/** Logs the start and end of an outage, but not each failed attempt. */
export type OutageLog = {
  /** @param details further fields of the log line */
  failed(err: unknown, details?: Readonly<Record<string, unknown>>): void
  succeeded(): void
}

/** @param messages logged at the first failed attempt, and at the first successful one after it */
export function createOutageLog(
  logger: Pick<Logger, 'error' | 'info'>,
  messages: { start: string; end: string },
): OutageLog {
  let isOutage = false
  return {
    failed(err, details) {
      if (!isOutage) logger.error({ err, ...details }, messages.start)
      isOutage = true
    },
    succeeded() {
      if (isOutage) logger.info(messages.end)
      isOutage = false
    },
  }
}
