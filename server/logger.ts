import { type DestinationStream, type Logger as PinoLogger, pino, stdSerializers } from 'pino'
import { jsonLine } from '../shared/json-line.ts'
import { createLogOutput } from './log-output.ts'

export type Logger = PinoLogger

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Receives each log line as an object, with its length in characters. */
export type OnLine = (record: object, length: number) => void

type LoggerOptions = {
  level: LogLevel
  release: string
  /** Redacts secrets and limits the size. */
  clean: (record: unknown) => object
  /** Called for each line, to store it as an event. */
  onLine: OnLine
  /** Standard output by default. */
  output?: Output
}

type Output = DestinationStream & { flushSync?(): void }

/**
 * Creates two loggers that write JSON lines to standard output. Only lines of `logger` are also passed to `onLine`, so
 * `internalLogger` can log problems with storing events.
 *
 * Redacts the finished line, because pino adds values that may contain secrets: a child's bindings, message arguments, and
 * serializer output.
 */
export function createLogger({ level, release, clean, onLine, output = createLogOutput(1) }: LoggerOptions): {
  logger: Logger
  internalLogger: Logger
} {
  const options = { level, base: { name: 'sixpane', version: release }, serializers: { err: plainError } }
  const write = (line: string) => {
    const record = clean(JSON.parse(line))
    output.write(jsonLine(record))
    return record
  }
  // pino flushes after a fatal line, before the process ends.
  const flushSync = () => output.flushSync?.()
  const withEvents: Output = { write: line => onLine(write(line), line.length), flushSync }
  const outputOnly: Output = { write, flushSync }
  return { logger: pino(options, withEvents), internalLogger: pino(options, outputOnly) }
}

/** Converts an error to pino's representation, including its causes. Returns any other value unchanged. */
function plainError(value: unknown): unknown {
  return value instanceof Error ? stdSerializers.err(value) : value
}
