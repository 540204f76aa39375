import { createRandom } from '../../server/testing/random.ts'

const random = createRandom(11)
const pick = (values: readonly string[]) => values[Math.floor(random() * values.length)] ?? ''
const hex = (length: number) => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')

/** Creates the log lines of a service's requests, with 333 bytes per line on average. */
export function createLines(count: number, nowMs: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      level: 30,
      time: nowMs - Math.floor(random() * 60_000),
      pid: 4242,
      hostname: `node-${index % 12}`,
      name: pick(['shop-web', 'shop-api', 'search']),
      version: '1.4.0',
      reqId: hex(16),
      traceId: hex(32),
      req: { method: pick(['GET', 'GET', 'POST']), url: `/products/${index}`, remoteAddress: '10.0.0.7' },
      route: pick(['/products/:id', '/cart', '/checkout', '/search']),
      res: { statusCode: 200 },
      responseTime: Math.round(random() * 90_000) / 1000,
      user: { plan: pick(['free', 'pro']) },
      msg: `request completed in step ${index % 977}`,
    }),
  )
}
