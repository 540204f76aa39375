import t from 'tap'
import type { ServiceMetrics } from '../../store/event-store.ts'
import { serviceChoices } from './service-choices.ts'

function metricsOf(service: string, overrides: Partial<ServiceMetrics> = {}): ServiceMetrics {
  const none = { p50Ms: null, p95Ms: null, p99Ms: null, requests: 100, errors: 0 }
  return {
    ...none,
    service,
    release: null,
    events: 100,
    failures: 0,
    sparkline: [],
    lastSeenMs: 0,
    ...overrides,
  }
}

const services = [
  metricsOf('calm'),
  metricsOf('busy', { requests: 1000, errors: 2 }),
  metricsOf('failing', { failures: 10 }),
  metricsOf('broken', { errors: 90 }),
  metricsOf('also calm'),
]

t.test('the services with failures and the highest error rates come first', async t => {
  t.same(serviceChoices(services, null, 10), [
    { service: 'failing', state: 'failing' },
    { service: 'broken', state: 'failing' },
    { service: 'busy', state: 'degraded' },
    { service: 'also calm', state: 'ok' },
    { service: 'calm', state: 'ok' },
  ])
})

t.test('services without requests come last, because the dashboard shows nothing for them', async t => {
  const job = metricsOf('job', { requests: 0, failures: 20 })
  t.same(serviceChoices([job, ...services], null, 10).at(-1), { service: 'job', state: 'failing' })
})

t.test('the selected service is listed even if it has no events or is beyond the limit', async t => {
  const names = (selected: string) => serviceChoices(services, selected, 2).map(({ service }) => service)
  t.same(names('absent'), ['failing', 'broken', 'absent'])
  t.same(names('calm'), ['failing', 'broken', 'calm'])
  t.same(names('broken'), ['failing', 'broken'])
  const job = metricsOf('job', { requests: 0, failures: 20 })
  t.same(serviceChoices([job, ...services], 'job', 2).at(-1), { service: 'job', state: 'failing' })
})
