import { type DestinationStream, type Logger as PinoLogger, pino, stdSerializers } from 'pino'

export type Logger = PinoLogger

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Receives each line that the logger writes, as an object, and its length. */
export type OfferLine = (record: object, sizeBytes: number) => void

type LoggerOptions = {
  level: LogLevel
  release: string
  /** Redacts and bounds a line. */
  clean: (record: unknown) => object
  /** Takes every line as an event too. */
  offer: OfferLine
  /** Where the lines go: standard output. */
  output?: Output
}

type Output = DestinationStream & { flushSync?(): void }

/**
 * Makes the logger: JSON lines on standard output, each of them offered as an event. `aside` writes to standard
 * output alone: for what is wrong with the events themselves.
 *
 * The finished line is what is cleaned, once for both: so nothing that pino put into it (a child's bindings, the
 * arguments of the message, what a serializer made) gets around the redaction.
 */
export function createLogger({ level, release, clean, offer, output = standardOutput() }: LoggerOptions): {
  logger: Logger
  aside: Logger
} {
  const options = { level, base: { name: 'sixpane', version: release }, serializers: { err: plainError } }
  const write = (line: string) => {
    const record = clean(JSON.parse(line))
    output.write(`${JSON.stringify(record)}\n`)
    return record
  }
  // pino writes out what waits before a fatal line ends the process.
  const flushSync = () => output.flushSync?.()
  const both: Output = { write: line => offer(write(line), line.length), flushSync }
  const outputAlone: Output = { write, flushSync }
  return { logger: pino(options, both), aside: pino(options, outputAlone) }
}

function standardOutput(): Output {
  // Not synchronous: a reader of the log that is slow must not hold up a request. pino flushes it at the exit.
  return pino.destination({ fd: 1, sync: false })
}

/** pino's own form of an error: its message and stack tell of its causes too. What is no error is left as it is. */
function plainError(value: unknown): unknown {
  return value instanceof Error ? stdSerializers.err(value) : value
}
