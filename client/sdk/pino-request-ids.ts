import { traceIdNames } from '../../shared/field-names.ts'

type Ids = { traceId: string; spanId: string }

const traceIdField = new RegExp(`"(?:${traceIdNames.map(name => name.replace('.', '\\.')).join('|')})":`)
const original = Symbol('original bindings')
let bindingsKey = Symbol()

/**
 * Returns listeners for the diagnostics channels to which pino (9.10 and later) publishes while it writes a line:
 * https://github.com/pinojs/pino/blob/main/docs/diagnostics.md
 * The listeners add ids to each line without a trace id. They cannot change the line itself. Instead, they change the
 * logger's bindings, which pino stores as JSON, until the line is complete.
 */
export function pinoListeners(idsOf: () => Ids | null) {
  return {
    'tracing:pino_asJson:start'(message: Line): void {
      const ids = idsOf()
      const logger = message.instance
      if (ids === null || !isLogger(logger)) return
      const bindings = logger[bindingsKey]
      if (bindings === undefined || traceIdField.test(bindings) || hasTraceId(message.arguments?.[0])) return
      message[original] = bindings
      logger[bindingsKey] = `${bindings},"traceId":"${ids.traceId}","spanId":"${ids.spanId}"`
    },
    'tracing:pino_asJson:end'(message: Line): void {
      const bindings = message[original]
      if (bindings !== undefined && isLogger(message.instance)) message.instance[bindingsKey] = bindings
    },
  }
}

type Line = { instance?: unknown; arguments?: Readonly<Record<number, unknown>>; [original]?: string }

/**
 * Whether a value is a pino logger. Finds `pino.symbols.chindingsSym` without importing pino, because each copy of pino in a
 * process has its own symbol.
 */
function isLogger(value: unknown): value is Record<symbol, string> {
  if (typeof value !== 'object' || value === null) return false
  if (Object.hasOwn(value, bindingsKey)) return true
  const found = Object.getOwnPropertySymbols(value).find(
    ({ description }) => description === 'pino.chindings',
  )
  if (found !== undefined) bindingsKey = found
  return found !== undefined
}

function hasTraceId(fields: unknown): boolean {
  return (
    typeof fields === 'object' && fields !== null && traceIdNames.some(name => Object.hasOwn(fields, name))
  )
}
