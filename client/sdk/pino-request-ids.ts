import { traceIdNames } from '../../shared/field-names.ts'

type Ids = { traceId: string; spanId: string }

const traceIdField = new RegExp(`"(?:${traceIdNames.map(name => name.replace('.', '\\.')).join('|')})":`)
const original = Symbol('original bindings')

/**
 * Returns listeners for the channels that pino 9.8 and later publish while they write a line:
 * https://github.com/pinojs/pino/blob/main/docs/diagnostics.md
 * They add ids to each line without a trace id. Listeners cannot change a line, so they change the logger's bindings, which
 * pino keeps as JSON, until the line is complete.
 */
export function pinoListeners(idsOf: () => Ids | null) {
  return {
    'tracing:pino_asJson:start'(message: object): void {
      const ids = idsOf()
      if (ids === null) return
      const logger = objectOf(message, 'instance')
      const key = logger === null ? null : bindingsKeyOf(logger)
      if (logger === null || key === null) return
      const bindings: unknown = Reflect.get(logger, key)
      const fields = objectOf(objectOf(message, 'arguments'), '0')
      if (typeof bindings !== 'string' || traceIdField.test(bindings) || hasTraceId(fields)) return
      Reflect.set(message, original, bindings)
      Reflect.set(logger, key, `${bindings},"traceId":"${ids.traceId}","spanId":"${ids.spanId}"`)
    },
    'tracing:pino_asJson:end'(message: object): void {
      const bindings: unknown = Reflect.get(message, original)
      const logger = objectOf(message, 'instance')
      const key = logger === null ? null : bindingsKeyOf(logger)
      if (bindings !== undefined && logger !== null && key !== null) Reflect.set(logger, key, bindings)
    },
  }
}

/** Finds `pino.symbols.chindingsSym` without importing pino. */
function bindingsKeyOf(logger: object): symbol | null {
  return (
    Object.getOwnPropertySymbols(logger).find(({ description }) => description === 'pino.chindings') ?? null
  )
}

function hasTraceId(fields: object | null): boolean {
  return fields !== null && traceIdNames.some(name => Object.hasOwn(fields, name))
}

function objectOf(value: object | null, name: string): object | null {
  const found: unknown = value === null ? null : Reflect.get(value, name)
  return typeof found === 'object' ? found : null
}
