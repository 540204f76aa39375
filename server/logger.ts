import { type DestinationStream, type Logger as PinoLogger, pino, stdSerializers } from 'pino'
import type { LogLevel } from './config.ts'
import { type Clean, cleanText } from './events/clean.ts'
import type { OfferLine } from './events/own.ts'

export type Logger = PinoLogger

export type LoggerOptions = {
  level: LogLevel
  release: string
  clean: Clean
  /** Takes every line as an event too. */
  offer: OfferLine
  /** Where the lines go: standard output. */
  output?: DestinationStream
}

/**
 * Makes the logger: JSON lines on standard output, each of them offered as an event. What it is handed is
 * redacted before either. `aside` writes to standard output alone: for what is wrong with the events themselves.
 */
export function createLogger({ level, release, clean, offer, output = standardOutput() }: LoggerOptions): {
  logger: Logger
  aside: Logger
} {
  const options = {
    level,
    base: { name: 'sixpane', version: release },
    // Errors are written out before they are cleaned; pino's own serializer would take them for other errors.
    serializers: { err: (value: unknown) => value },
    formatters: { log: (fields: object) => clean(withPlainErrors(fields)) },
    hooks: {
      logMethod(this: Logger, args: Parameters<PinoLogger['info']>, method: PinoLogger['info']) {
        const scrubbed = args.map(arg => (typeof arg === 'string' ? cleanText(arg) : arg))
        Reflect.apply(method, this, scrubbed)
      },
    },
  }
  const both = {
    write(line: string) {
      output.write(line)
      offer(JSON.parse(line), line.length)
    },
  }
  return { logger: pino(options, both), aside: pino(options, output) }
}

function standardOutput(): DestinationStream {
  // Not synchronous: a reader of the log that is slow must not hold up a request. Flushed at the end by pino.
  return pino.destination({ fd: 1, sync: false })
}

/** pino's own form of an error (type, message, stack with its causes), before it is cleaned as fields are. */
function withPlainErrors(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? { ...stdSerializers.err(value) } : value,
    ]),
  )
}
