import { minuteMs } from '../../../shared/duration-units.ts'
import type { EventRow, LogEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import type { Preferences } from '../../../shared/preferences.ts'
import type { Window } from '../../../shared/range.ts'
import {
  type UiContent,
  type UiFailures,
  type UiGroup,
  type UiNumbers,
  uiGroups,
} from '../../../shared/screens/ui.ts'
import { severities } from '../../../shared/severity.ts'
import { bucketsOf, withLinks } from '../../charts/buckets.ts'
import { drawHeatMap } from '../../charts/draw-heat-map.ts'
import { drawSeries } from '../../charts/draw-series.ts'
import type { HeatMap } from '../../charts/heat-map-types.ts'
import { heatTable } from '../../charts/heat-table.ts'
import type { SeriesChart } from '../../charts/series-types.ts'
import { seriesTable } from '../../charts/table.ts'
import { defineScreen } from '../screen.ts'
import { unmappedFrame, unmappedFrames } from './unmapped.ts'

/** All times on this screen are relative to this instant, so the screen always looks the same. */
const uiInstantMs = Date.UTC(2026, 10, 21, 14, 3, 22, 123)
const window = { fromMs: uiInstantMs - 60 * minuteMs, toMs: uiInstantMs }

/** The component catalogue. All values are fixed, and some contain markup, control characters or very long text. */
export const ui = defineScreen({
  id: 'ui',
  parse: ({ params }) => ({ group: uiGroups.find(group => group === params.get('group')) ?? uiGroups[0] }),
  load: async () => null,
  present: (_data, { group }, { preferences }) => ({
    content: contentOf(group, preferences),
  }),
})

function contentOf(group: UiGroup, preferences: Preferences): UiContent {
  const instantMs = uiInstantMs
  switch (group) {
    case 'numbers':
      return { group, instantMs, ...numbers(preferences) }
    case 'events':
      return { group, instantMs, events, open }
    case 'failures':
      return { group, instantMs, failure: uiFailure, ...unmappedFrames(instantMs) }
    default:
      return { group, instantMs }
  }
}

/** Returns charts that cover one hour, and tables for two of these charts. */
function numbers(clock: Preferences): UiNumbers {
  // The last minute is incomplete.
  const nowMs = uiInstantMs - minuteMs / 2
  const shared = { window, clock, nowMs, bucketMs: minuteMs, tableHref: '#chart-tables' }
  const buckets = bucketsOf(shared, 60)
  const search = paths.activitiesUrlParts.search('status:*')
  const series = (title: string, chart: SeriesChart) => ({ title, chart: drawSeries(chart, buckets) })
  const wave = (base: number, swing: number, gapAt: number[] = []) =>
    Array.from({ length: 60 }, (_, index) =>
      gapAt.includes(index) ? null : base + swing * Math.abs(Math.sin(index / 7) * Math.cos(index / 3)),
    )
  const stacked: SeriesChart = {
    ...shared,
    name: 'ui-stacked',
    title: 'Events by severity',
    unit: 'events per minute',
    format: 'count',
    kind: 'stacked',
    series: [
      { name: 'info', tone: 'info', values: wave(40, 60).map(whole) },
      { name: 'warn', tone: 'warn', values: wave(2, 12).map(whole) },
      { name: 'error', tone: 'error', values: wave(0, 9).map(whole) },
      { name: 'fatal', tone: 'fatal', values: wave(0, 0).map((_, index) => (index === 41 ? 6 : 0)) },
    ],
  }
  const lines: SeriesChart = {
    ...shared,
    name: 'ui-lines',
    title: 'Response time',
    unit: 'milliseconds',
    format: 'duration',
    kind: 'line',
    markers: [
      { ms: uiInstantMs - 17 * minuteMs, label: '1.4.3', tooltip: 'shop 1.4.3 first seen' },
      { ms: uiInstantMs - 18 * minuteMs, label: '1.4.2', tooltip: 'shop 1.4.2 first seen' },
    ],
    series: [
      { name: 'p50', tone: 'muted', values: wave(20, 30, [20, 21, 22, 23, 48, 50]) },
      { name: 'p95', tone: 'accent', values: wave(80, 220, [20, 21, 22, 23, 48, 50]) },
      { name: 'p99', tone: 'strong', values: wave(160, 900, [20, 21, 22, 23, 48, 50]) },
    ],
  }
  const bars: SeriesChart = {
    ...shared,
    name: 'ui-bars',
    title: 'Requests',
    unit: 'per second',
    format: '/s',
    kind: 'area',
    series: [
      { name: 'requests', tone: 'accent', values: wave(12, 30, [12, 13]), previousValues: wave(8, 40, [30]) },
    ],
  }
  const map: HeatMap = {
    ...shared,
    name: 'ui-heat-map',
    title: 'Latency distribution',
    noun: 'request',
    bands: ['0 ms', '10 ms', '100 ms', '1 s', '10 s'].map((edge, index, edges) => ({
      edge,
      label: `${edge} to ${edges[index + 1] ?? 'any'}`,
      searchHref: search,
    })),
    rows: [40, 90, 30, 6, 1].map((most, band) =>
      wave(0, most).map((count, index) => ((index + band) % 9 === 0 ? 0 : Math.round(count ?? 0))),
    ),
    markers: [{ ms: uiInstantMs - 18 * minuteMs, label: '1.4.2', tooltip: 'shop 1.4.2 first seen' }],
    windowParams: paths.activitiesUrlParts.window(window),
    allRowsHref: search,
  }
  const none: SeriesChart = {
    ...shared,
    name: 'ui-none',
    title: 'Error rate',
    unit: 'share of requests',
    format: 'ratio',
    kind: 'line',
    series: [{ name: 'errors', tone: 'bad', values: wave(0, 0).map(() => null) }],
  }
  const ofLinks = (bucket: Window) => search + paths.activitiesUrlParts.window(bucket)
  // A few rows are enough to show every feature of a table.
  const first = withLinks(buckets.slice(0, 6), ofLinks)
  return {
    charts: [
      series('Stacked bars with links', { ...stacked, eventsHref: search }),
      series('Lines with gaps and releases', lines),
      series('Area with the previous period', bars),
      { title: 'Heat map with links', chart: drawHeatMap(map, buckets) },
      series('No data', none),
    ],
    tables: [
      seriesTable(bars, first),
      heatTable(
        map,
        first.map(bucket => ({ ...bucket, windowParams: paths.activitiesUrlParts.window(bucket) })),
      ),
    ],
    sparkline: uiFailure.sparkline,
  }
}

function whole(value: number | null): number | null {
  return value === null ? null : Math.round(value)
}

const plain: EventRow = {
  id: 1,
  timeMs: uiInstantMs,
  severity: 'info',
  service: 'shop',
  release: '1.4.2',
  source: 'ndjson',
  body: 'request completed',
  requestId: 'req-8c1f',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  method: 'GET',
  route: '/products/:id',
  status: 200,
  durationMs: 12.4,
  digest: null,
  fingerprint: null,
  exceptionType: null,
  exceptionMessage: null,
}
const bare = { method: null, route: null, status: null, durationMs: null, requestId: null, traceId: null }

const events: EventRow[] = [
  ...severities.map((severity, index) => ({
    ...plain,
    id: 10 + index,
    severity,
    timeMs: uiInstantMs - index * 1417,
    status: [200, 204, 304, 404, 500, 503][index] ?? null,
    durationMs: [0.42, 3, 12.4, 148, 1240, 30_000][index] ?? null,
  })),
  {
    ...plain,
    id: 20,
    severity: 'error',
    method: 'POST',
    route: '/checkout',
    status: 500,
    durationMs: 2301,
    body: 'Checkout failed',
    exceptionType: 'TypeError',
    exceptionMessage: "Cannot read properties of undefined (reading 'total')",
    digest: 'a41c09be72',
    fingerprint: 'a41c09be72',
  },
  {
    ...plain,
    ...bare,
    id: 21,
    timeMs: uiInstantMs - 26 * 60 * minuteMs,
    body: 'another day: the date is shown before the time',
  },
  {
    ...plain,
    ...bare,
    id: 22,
    service: 'دفع',
    body: 'فشل الدفع بالبطاقة للطلب 4711 (retry 3/5)',
    severity: 'warn',
  },
  { ...plain, ...bare, id: 23, body: '🛒 cart emptied 👩‍👩‍👧‍👦 by \u{1f1e8}\u{1f1ed} visitor' },
  {
    ...plain,
    ...bare,
    id: 24,
    body: '\u001b[31merror\u001b[39m colours of a terminal, a \u0000 and a \u202eturned\u202c word',
  },
  { ...plain, ...bare, id: 25, severity: 'debug', body: `${'0123456789'.repeat(50)}` },
  {
    ...plain,
    ...bare,
    id: 26,
    service: 'a-service-with-a-name-that-is-much-too-long',
    body: '',
    route: null,
  },
  { ...plain, ...bare, id: 27, body: '<script>alert("markup is text here")</script> &amp; so are entities' },
]

const stack = `TypeError: Cannot read properties of undefined (reading 'total')
    at sumOf (server/cart.ts:18:23)
    at checkout (server/checkout.ts:42:17)
    at preHandlerCallback (node_modules/fastify/lib/handleRequest.js:137:37)
    at handler (node_modules/fastify/lib/handleRequest.js:75:7)
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)`

const open: LogEvent = {
  ...plain,
  id: 20,
  severity: 'error',
  method: 'POST',
  route: '/checkout',
  status: 500,
  durationMs: 2301,
  body: "Cannot read properties of undefined (reading 'total')",
  digest: 'a41c09be72',
  fingerprint: 'a41c09be72',
  spanId: '00f067aa0ba902b7',
  exception: { type: 'TypeError', message: "Cannot read properties of undefined (reading 'total')", stack },
  attributes: {
    req: { method: 'POST', url: '/checkout?coupon=WINTER', remoteAddress: '203.0.113.7' },
    cart: { id: 'c-4711', items: [], total: null, currency: 'CHF' },
    feature: { newCheckout: true, rollout: 0.25 },
    note: 'فشل الدفع',
    long: 'a value of ten thousand characters '.repeat(286),
    ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`counter.${index}`, index * 17])),
  },
}

/** A failure with a value in almost every field. */
export const uiFailure: UiFailures['failure'] = {
  id: 'a41c09be72',
  state: 'open',
  stateMs: uiInstantMs - 42_000,
  mutedUntilMs: null,
  resolved: { release: '1.4.1', atMs: uiInstantMs - 3 * 24 * 60 * minuteMs },
  returned: { release: '1.4.2', atMs: uiInstantMs - 42_000 },
  type: 'TypeError',
  message: "Cannot read properties of undefined (reading 'total')",
  route: 'POST /checkout',
  release: '1.4.2',
  digests: ['a41c09be72', '2338471094', '4163817072@E352'],
  digestCount: 3,
  services: ['shop', 'checkout'],
  serviceCount: 2,
  count: 1428,
  firstSeenMs: uiInstantMs - 9 * 24 * 60 * minuteMs,
  lastSeenMs: uiInstantMs - 42_000,
  sparkline: [0, 0, 1, 0, 3, 2, 0, 0, 5, 8, 4, 2, 0, 1, 1, 0, 0, 12, 30, 22, 9, 4, 2, 6],
  frames: [
    {
      functionName: 'sumOf',
      file: 'server/cart.ts',
      line: 18,
      column: 23,
      inApp: true,
      cause: null,
      code: {
        firstLine: 15,
        lines: [
          '/** The price of all items, in the smallest unit of the currency. */',
          'export function sumOf(cart: Cart): number {',
          '  return cart.items',
          '    .map(item => item.price.total)',
          '    .reduce((sum, price) => sum + price, 0)',
          '}',
        ],
      },
      unmapped: null,
    },
    {
      functionName: 'checkout',
      file: 'server/checkout.ts',
      line: 42,
      column: 17,
      inApp: true,
      cause: null,
      code: null,
      unmapped: null,
    },
    unmappedFrame('wrong-release', 0, []),
    ...[137, 75].map(line => ({
      functionName: 'preHandlerCallback',
      file: 'node_modules/fastify/lib/handleRequest.js',
      line,
      column: 7,
      inApp: false,
      cause: null,
      code: null,
      unmapped: null,
    })),
    {
      functionName: null,
      file: 'node:internal/process/task_queues',
      line: 105,
      column: 5,
      inApp: false,
      cause: null,
      code: null,
      unmapped: null,
    },
  ],
  stack,
}
