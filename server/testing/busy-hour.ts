import { hourMs } from '../../shared/duration-units.ts'
import type { NewEvent } from '../../shared/event.ts'
import type { Severity } from '../../shared/severity.ts'
import { vitalNames } from '../../shared/vitals.ts'
import { anEvent } from '../store/conformance/testing.ts'
import { testNowMs } from './fake-context.ts'
import { createRandom } from './random.ts'

const count = 8000
const services = ['shop-web', 'shop-api', 'shop-payments', 'search', 'mail']
const routes = ['/', '/products', '/products/:id', '/cart', '/cart/:id', '/checkout', '/login', '/search']
/** A typical value of each metric, in the order of `vitalNames`. */
const vitalValues = [2300, 180, 0.08, 640]

/**
 * Returns the events of the two hours before `testNowMs`: five services with requests on eight routes each, sixty failures,
 * releases, Web Vitals and Sixpane's own metrics. One event is older, so that periods of an hour are compared. Every call
 * returns the same events.
 */
export function busyHour(): NewEvent[] {
  const random = createRandom(7)
  const pick = (values: readonly string[]) => values[Math.floor(random() * values.length)] ?? ''
  const requests = Array.from({ length: count }, (_, index): NewEvent => {
    const share = (index + 1) / count
    const isFailed = random() < 0.02
    const severity: Severity = isFailed ? 'error' : random() < 0.1 ? 'warn' : 'info'
    const fault = Math.floor(random() * 60)
    const id = hex(fault + 1, 10)
    const message = `Cannot read properties of null (reading 'field${fault}')`
    return {
      ...bare,
      timeMs: Math.round(testNowMs - 2 * hourMs * (1 - share)) - 1,
      severity,
      service: pick(services),
      release: `1.${Math.floor(share * 8)}.0`,
      body: isFailed ? `checkout ${index} failed: card declined` : `request completed in step ${index % 977}`,
      requestId: `req-${index.toString(36)}`,
      traceId: random() < 0.3 ? hex(index, 32) : null,
      method: random() < 0.75 ? 'GET' : 'POST',
      route: pick(routes),
      status: isFailed ? 500 : random() < 0.15 ? 404 : 200,
      durationMs: Math.exp(random() * 5) + (isFailed ? 300 : 0),
      exception: isFailed
        ? {
            type: 'TypeError',
            message,
            stack: `TypeError: ${message}\n    at step (/app/src/step.ts:${fault}:7)`,
          }
        : null,
      digest: isFailed ? id : null,
      fingerprint: isFailed ? id : null,
      attributes: { hostname: `node-${index % 12}`, user: { plan: 'pro' } },
    }
  })
  const old = { ...bare, timeMs: testNowMs - 3 * hourMs, service: 'mail' }
  return [old, ...requests, ...vitals(random), ...ownMetrics(random)].sort((a, b) => a.timeMs - b.timeMs)
}

const bare = anEvent({ release: '1.7.0' })

/** One report per metric, minute and route. */
function vitals(random: () => number): NewEvent[] {
  return Array.from({ length: 60 }, (_, minute) => minute).flatMap(minute =>
    routes.flatMap(route =>
      vitalNames.map((name, index) => ({
        ...bare,
        timeMs: testNowMs - (60 - minute) * 60_000 + index,
        service: 'shop-web',
        source: 'browser' as const,
        body: `${name} of ${route}`,
        route,
        attributes: { vital: { name, value: (vitalValues[index] ?? 1) * (0.5 + random()) } },
      })),
    ),
  )
}

/** The events in which Sixpane records its own metrics every minute. */
function ownMetrics(random: () => number): NewEvent[] {
  return Array.from({ length: 60 }, (_, minute) => ({
    ...bare,
    timeMs: testNowMs - (60 - minute) * 60_000 + 500,
    severity: 'debug' as const,
    service: 'sixpane',
    source: 'own' as const,
    body: 'Figures of the last minute',
    attributes: {
      process: {
        eventLoopDelayMs: 10 + 5 * random(),
        heapUsedBytes: 6e7 + 1e7 * random(),
        rssBytes: 3e8 + 1e7 * random(),
        cpuRatio: random() / 4,
      },
      ingest: { accepted: Math.floor(200 * random()), refused: 0, passedOver: 0, dropped: 0 },
      store: { diskBytes: 5e7 + minute * 1e5, questionMs: 8 + 4 * random() },
    },
  }))
}

function hex(value: number, length: number): string {
  return Math.imul(value, 2_654_435_761).toString(16).replace('-', '').padStart(length, '0')
}
