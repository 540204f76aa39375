import { createRandom } from '../../server/testing/random.ts'
import type { NewEvent } from '../../shared/event.ts'
import type { Severity } from '../../shared/severity.ts'

const weekMs = 7 * 86_400_000
const services = ['shop-web', 'shop-api', 'shop-payments', 'search', 'mail']
const routes = ['/', '/products', '/products/:id', '/cart', '/cart/:id', '/checkout', '/login', '/search']

/**
 * Returns a function that creates `total` events, spread over the week before `nowMs`. If the function is called for all
 * indexes in order, the events are the same in every run, apart from their times.
 */
export function createSyntheticEvents(total: number, nowMs: number): (index: number) => NewEvent {
  const startMs = nowMs - weekMs
  const random = createRandom(7)
  function pick<Value>(values: readonly [Value, ...Value[]] | readonly Value[]): Value {
    const value = values[Math.floor(random() * values.length)]
    if (value === undefined) throw new Error('The list is empty')
    return value
  }
  function hex(length: number): string {
    return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
  }

  return index => {
    const failed = random() < 0.01
    const severity: Severity = failed
      ? 'error'
      : pick(['info', 'info', 'info', 'info', 'debug', 'warn'] as const)
    const service = pick(services)
    const route = pick(routes)
    const fault = Math.floor(random() * 40)
    return {
      timeMs: startMs + (index / total) * weekMs,
      severity,
      service,
      release: `1.${Math.floor((index / total) * 8)}.0`,
      source: 'ndjson',
      body: failed ? `checkout ${index} failed: card declined` : `request completed in step ${index % 977}`,
      requestId: `req-${index.toString(36)}`,
      traceId: random() < 0.3 ? hex(32) : null,
      spanId: null,
      method: pick(['GET', 'GET', 'GET', 'POST'] as const),
      route,
      status: failed ? 500 : pick([200, 200, 200, 200, 304, 404] as const),
      durationMs: Math.exp(random() * 5) + (failed ? 300 : 0),
      exception: failed
        ? {
            type: 'TypeError',
            message: `Cannot read properties of null (reading 'field${fault}')`,
            stack: `TypeError: Cannot read properties of null (reading 'field${fault}')\n    at step${fault} (/app/src/step.ts:${fault}:7)`,
          }
        : null,
      digest: failed ? String(1_000_000_000 + fault) : null,
      fingerprint: failed ? (0xabcdef00 + fault).toString(16).padStart(10, '0') : null,
      attributes: {
        hostname: `node-${index % 12}`,
        pid: 1000 + (index % 7),
        user: { plan: pick(['free', 'pro']) },
      },
    }
  }
}
