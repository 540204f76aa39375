// The parts of the OpenTelemetry API's global object that we use. Reading it needs no dependency:
// https://github.com/open-telemetry/opentelemetry-js/blob/main/api/src/internal/global-utils.ts
const apiKey = Symbol.for('opentelemetry.js.api.1')
const spanKey = Symbol.for('OpenTelemetry Context Key SPAN')

/**
 * Whether an OpenTelemetry SDK creates spans in this process. If so, the SDK also adds trace headers to outgoing requests.
 */
export function isOpenTelemetryActive(): boolean {
  return propertyOf(Reflect.get(globalThis, apiKey), 'trace') !== undefined
}

/** Returns the ids of OpenTelemetry's active span, or `null` if there is none. */
export function openTelemetryIds(): { traceId: string; spanId: string } | null {
  const active = call(propertyOf(Reflect.get(globalThis, apiKey), 'context'), 'active')
  const ids = call(call(active, 'getValue', spanKey), 'spanContext')
  const [traceId, spanId] = [propertyOf(ids, 'traceId'), propertyOf(ids, 'spanId')]
  return typeof traceId === 'string' && typeof spanId === 'string' ? { traceId, spanId } : null
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function call(value: unknown, name: string, ...args: unknown[]): unknown {
  const method = propertyOf(value, name)
  return typeof method === 'function' ? Reflect.apply(method, value, args) : undefined
}
