import type { ServiceRow } from '../../../shared/screens/home.ts'
import type { DeliveryRow } from '../../../shared/screens/settings.ts'
import type { Waterfall } from '../../../shared/waterfall.ts'

/** A checkout across three services, one of which has a slow clock. */
export const trace: Waterfall = {
  by: 'trace',
  id: '4bf92f3577b34da6a3ce929d0e0e4736',
  isSearch: true,
  shown: 'notable',
  total: 1204,
  fromMs: 0,
  lengthMs: 1420,
  services: ['pay', 'shop', 'دفع'],
  lines: [
    line(2, 'shop', 180, 1240, {
      request: 'POST /checkout 500',
      severity: 'info',
      isFailed: true,
      nested: 5,
    }),
    line(1, 'pay', 0, 620, {
      request: 'POST /charge 502',
      severity: 'error',
      isFailed: true,
      depth: 1,
      nested: 1,
    }),
    line(5, 'pay', 610, null, {
      text: 'card network did not answer',
      severity: 'error',
      isFailed: true,
      depth: 2,
    }),
    line(3, 'shop', 192, null, { text: 'cart loaded', severity: 'debug', depth: 1 }),
    line(4, 'دفع', 200, 95, {
      request: 'GET /stock/:sku 200',
      text: 'stock is low',
      severity: 'warn',
      depth: 1,
    }),
    { kind: 'gap', gapMs: 315, left: 21, width: 22, depth: 1, nested: 0 },
    line(6, 'shop', 1415, null, { text: '', severity: 'info', depth: 1 }),
  ],
  nestedBy: 'span',
  skews: [{ kind: 'behind', service: 'pay', other: 'shop', minSkewMs: 180 }],
  logHref: '#waterfall',
}

type EventLine = Extract<Waterfall['lines'][number], { kind: 'event' }>

function line(
  id: number,
  service: string,
  offsetMs: number,
  durationMs: number | null,
  rest: Partial<EventLine> & Pick<EventLine, 'severity'>,
): EventLine {
  return {
    kind: 'event',
    id,
    service,
    offsetMs,
    durationMs,
    depth: 0,
    nested: 0,
    left: offsetMs / 14.2,
    width: (durationMs ?? 0) / 14.2,
    isFailed: false,
    request: null,
    text: '',
    ...rest,
  }
}

/** A service in each state. */
export function services(nowMs: number): ServiceRow[] {
  const shape = Array.from({ length: 30 }, (_, index) => (index * 7) % 11)
  const shop: ServiceRow = {
    service: 'shop',
    state: 'failing',
    requestRate: 12.4,
    errorRatio: 0.037,
    p95Ms: 1240,
    failures: 14,
    sparkline: shape,
    lastSeenMs: nowMs - 2000,
    release: '1.4.2',
  }
  return [
    shop,
    { ...shop, service: 'checkout', state: 'degraded', failures: 0, errorRatio: 0.004, p95Ms: 96 },
    {
      ...shop,
      service: 'a-service-with-a-name-that-is-much-too-long',
      state: 'ok',
      requestRate: null,
      errorRatio: null,
      p95Ms: null,
      failures: 0,
      release: null,
    },
    {
      ...shop,
      service: 'دفع',
      state: 'silent',
      requestRate: null,
      errorRatio: null,
      p95Ms: null,
      failures: 0,
      sparkline: [],
      lastSeenMs: nowMs - 26 * 3_600_000,
    },
  ]
}

/** A pending delivery, a failed one and a successful one, newest first. */
export function deliveries(nowMs: number): DeliveryRow[] {
  const arrived: DeliveryRow = {
    id: '1',
    kind: 'new',
    createdMs: nowMs - 3_600_000,
    attempts: 1,
    state: 'delivered',
    status: 204,
    problem: null,
    nextMs: null,
  }
  return [
    {
      ...arrived,
      id: '3',
      kind: 'ratio',
      createdMs: nowMs - 60_000,
      attempts: 2,
      state: 'waiting',
      status: 503,
      nextMs: nowMs + 120_000,
    },
    {
      ...arrived,
      id: '2',
      kind: 'returned',
      createdMs: nowMs - 900_000,
      attempts: 5,
      state: 'failed',
      status: null,
      problem: 'The receiver did not answer in time',
    },
    arrived,
  ]
}
