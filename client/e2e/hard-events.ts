import type { StartedServer } from '../../scripts/test/server.ts'
import { paths } from '../../shared/paths.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const hardServices = 200
const hardRoutes = 2000
export const hardTraceId = 'c0ffee00c0ffee00c0ffee00c0ffee00'
export const hardDigest = 'digest-59'
/** The message of the event that reaches every size limit. */
export const hardMessage = 'everything at once'

/** Names that are long, unbreakable or right-to-left, or contain emoji. */
const oddNames = [
  'שירות-תשלומים',
  'خدمة الدفع 24/7',
  '🛒🔥👩‍👩‍👧‍👦',
  `cluster-${'a'.repeat(192)}`,
  '日本語のとても長い名前'.repeat(18).slice(0, 200),
  '<b>bold</b> & "quoted"',
  '\u001b[31mred\u001b[0m service',
  'service: with a colon',
  '  spaces   inside  ',
  '\u202ereversed\u202c',
]

const serviceName = (index: number) =>
  oddNames[index] ?? `team-${index % 7}-service-${String(index).padStart(3, '0')}`
const routeName = (index: number) =>
  index % 50 === 0 ? `/${'segment/'.repeat(24)}${index}` : `/api/v${index % 5}/things-${index}/:id`

const longLine = 'x'.repeat(10_000)
const manyWords = 'word '.repeat(2000)
const oddMessages = [
  longLine,
  manyWords,
  '\u001b[31;1mERROR\u001b[0m \u001b]8;;https://example.com\u0007link\u001b]8;;\u0007 \u001b[2K50% \u001b[?25l[31mhalf eaten[0m',
  'סליחה, התשלום של Customer 42 נכשל: TIMEOUT (30s) 😬',
  'line one\nline two\n\n\n\tline five, after a tab',
  '🔥'.repeat(300),
  '\u0000\u0001\u0002 control \u007f',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘'.repeat(20),
  '﷽'.repeat(40),
  '',
]

/** Sends events that are difficult to display. A few have times in the distant past or in the future. */
export async function sendHardEvents(server: StartedServer, nowMs: number): Promise<void> {
  await sendAll(server, [
    ...ready(nowMs),
    ...requests(nowMs),
    ...failures(nowMs),
    ...messages(nowMs),
    ...trace(nowMs),
  ])
  await sendOtherWays(server, nowMs)
}

/** Sends at most 2,000 events per request. */
async function sendAll(server: StartedServer, events: object[]): Promise<void> {
  for (let from = 0; from < events.length; from += 2000) await server.send(...events.slice(from, from + 2000))
}

/** One event per service. */
function ready(nowMs: number): object[] {
  return Array.from({ length: hardServices }, (_, index) => ({
    time: nowMs - 1000 - index * 3000,
    level: 30,
    name: serviceName(index),
    version: index % 3 === 0 ? `2026.11.${index}+build.${'f'.repeat(40)}` : `1.${index}.0`,
    msg: 'ready',
  }))
}

/** One request per route; every twentieth service is degraded. */
function requests(nowMs: number): object[] {
  return Array.from({ length: hardRoutes }, (_, index) => {
    const service = index % hardServices
    return {
      time: nowMs - 2000 - index * 400,
      level: 30,
      name: serviceName(service),
      version: `1.${index % 100}.0`,
      msg: 'request completed',
      reqId: `req-${index}`,
      req: { method: 'GET', url: routeName(index) },
      route: routeName(index),
      res: { statusCode: service % 20 === 19 && index % 3 === 0 ? 503 : 200 },
      responseTime: index % 97 === 0 ? 86_400_000 + index : index % 400,
    }
  })
}

/** One failure with 60 digests, 40 releases and 30 services, and failures with unusual types and messages. */
function failures(nowMs: number): object[] {
  const stack = (type: string, message: string) =>
    `${type}: ${message}\n${Array.from({ length: 200 }, (_, index) =>
      index % 3 === 0
        ? `    at step${index} (/app/src/${'deep/'.repeat(index % 12)}file${index}.ts:${index}:7)`
        : `    at Object.<anonymous> (/app/node_modules/.pnpm/${'x'.repeat(90)}@1.0.0/index.js:${index}:1)`,
    ).join('\n')}`
  const wide = Array.from({ length: 120 }, (_, index) => ({
    time: nowMs - 3000 - index * 7000,
    level: 50,
    name: serviceName(index % 30),
    version: `2.${index % 40}.0-rc.${index % 40}+${'9'.repeat(30)}`,
    msg: 'checkout failed',
    reqId: `wide-${index}`,
    err: {
      type: 'TypeError',
      message: "Cannot read properties of undefined (reading 'total')",
      stack: stack('TypeError', "Cannot read properties of undefined (reading 'total')"),
      digest: `digest-${index % 60}`,
    },
  }))
  const odd = oddMessages.map((message, index) => ({
    time: nowMs - 5000 - index * 1000,
    level: index % 2 === 0 ? 50 : 60,
    name: serviceName(index),
    msg: message,
    err: {
      type: index % 2 === 0 ? `com.example.${'very.'.repeat(20)}LongException${index}` : `Ошибка${index}`,
      message,
      stack: null,
      digest: index % 2 === 0 ? 'f'.repeat(64) : undefined,
    },
  }))
  return [...wide, ...odd]
}

/** Unusual messages and times, and an event with 500 attributes and deep nesting. */
function messages(nowMs: number): object[] {
  const nested = Array.from({ length: 14 }).reduce<object>(inner => ({ inner, list: [1, [2, [3]]] }), {
    end: true,
  })
  const times = ['1970-01-01T00:00:00Z', '2001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', nowMs + dayMs / 2]
  return [
    ...oddMessages.map((msg, index) => ({
      time: nowMs - 10_000 - index * 500,
      level: 30,
      name: serviceName(index),
      msg,
    })),
    ...times.map(time => ({ time, level: 40, name: 'clock', msg: `the time is ${time}` })),
    ...Array.from({ length: 100 }, (_, index) => ({
      time: nowMs - index * 8 * minuteMs,
      level: 30,
      name: 'releaser',
      version: `3.${index}.0`,
      msg: `release ${index} is here`,
    })),
    {
      time: nowMs - 1500,
      level: 50,
      name: oddNames[3],
      version: 'v'.repeat(180),
      msg: hardMessage,
      reqId: 'r'.repeat(180),
      route: routeName(0),
      req: { method: 'DELETE', url: '/' },
      res: { statusCode: 599 },
      responseTime: 9_999_999,
      nested,
      [`key ${'k'.repeat(180)}`]: longLine,
      مفتاح: 'قيمة',
      ...Object.fromEntries(
        Array.from({ length: 500 }, (_, index) => [
          `attribute${index}`,
          index % 9 ? index : manyWords.slice(0, 700),
        ]),
      ),
    },
  ]
}

/** One trace of 300 events across 40 services. */
function trace(nowMs: number): object[] {
  return Array.from({ length: 300 }, (_, index) => ({
    time: nowMs - 13 * minuteMs + index * 500,
    level: index % 11 === 0 ? 50 : 30,
    name: serviceName(index % 40),
    msg: index % 5 === 0 ? oddMessages[(index / 5) % oddMessages.length] : `step ${index}`,
    traceId: hardTraceId,
    spanId: (index + 1).toString(16).padStart(16, '0'),
    ...(index % 4 === 0
      ? {
          req: { method: 'GET' },
          route: routeName(index),
          res: { statusCode: 200 },
          responseTime: index * 400,
        }
      : {}),
  }))
}

/** Sends one event with the source `stdin`, and one each to the OTLP, Loki and browser endpoints. */
async function sendOtherWays({ origin }: StartedServer, nowMs: number): Promise<void> {
  const nanoseconds = `${nowMs - 4000}000000`
  const bodies: [path: string, type: string, body: object][] = [
    [paths.ingest({ source: 'stdin' }), 'application/json', [{ name: 'pipe', msg: 'from a pipe' }]],
    [
      paths.otlpLogs(),
      'application/json',
      {
        resourceLogs: [
          {
            resource: { attributes: [{ key: 'service.name', value: { stringValue: 'collector' } }] },
            scopeLogs: [{ logRecords: [{ timeUnixNano: nanoseconds, body: { stringValue: 'from OTLP' } }] }],
          },
        ],
      },
    ],
    [
      paths.lokiPush(),
      'application/json',
      { streams: [{ stream: { service_name: 'promtail' }, values: [[nanoseconds, 'from Loki']] }] },
    ],
    [
      paths.browser(),
      'text/plain',
      {
        service: 'storefront',
        path: '/cart',
        error: { trigger: 'error', type: 'RangeError', message: 'in a browser', stack: '' },
      },
    ],
  ]
  for (const [path, type, body] of bodies) {
    const answer = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': type, origin },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path} returned status ${answer.status}: ${await answer.text()}`)
  }
}
