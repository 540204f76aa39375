import type { StartedServer } from '../../../scripts/test/server.ts'

/** The current time in every picture and in the examples on `/ui`. */
export const sceneMs = Date.UTC(2026, 10, 21, 14, 3, 22, 123)

const clock = new URL('../fixed-clock.mjs', import.meta.url).href

/** The environment of a server with a fixed clock. */
export const sceneEnv = {
  NODE_OPTIONS: `--import=${clock}`,
  FIXED_CLOCK_MS: String(sceneMs),
}

/** Sends the events that the pictures show. */
export function sendScene(server: StartedServer): Promise<void> {
  return server.send(...lines())
}

export const sceneTraceId = '4bf92f3577b34da6a3ce929d0e0e4736'
export const sceneDigest = '2338471094'

type Line = Record<string, unknown>
const secondMs = 1000
const minuteMs = 60 * secondMs

/** Log lines of three services over 70 minutes. The newer release of one service fails. */
function lines(): Line[] {
  return [...requests(), ...failures(), ...trace(), ...odd()]
}

function line(name: string, agoMs: number, level: number, msg: string, rest: Line = {}): Line {
  const version = name === 'shop' && agoMs < 25 * minuteMs ? '1.4.2' : '1.4.1'
  return { time: sceneMs - agoMs, level, name, version, msg, ...rest }
}

function request(
  name: string,
  agoMs: number,
  [method, route, status]: [string, string, number],
  responseTime: number,
  rest: Line = {},
): Line {
  return line(name, agoMs, status >= 500 ? 50 : status >= 400 ? 40 : 30, 'request completed', {
    req: { method, url: route },
    route,
    res: { statusCode: status },
    responseTime,
    ...rest,
  })
}

const routes: [name: string, method: string, route: string][] = [
  ['shop', 'GET', '/products/:id'],
  ['shop', 'GET', '/'],
  ['checkout', 'POST', '/orders'],
  ['shop', 'POST', '/cart'],
  ['search', 'GET', '/find'],
]

/** One request every 7 s. Durations vary, and some requests get status 404 or 503. */
function requests(): Line[] {
  return Array.from({ length: 600 }, (_, index) => {
    const [name, method, route] = routes[index % routes.length] ?? ['shop', 'GET', '/']
    const status = index % 41 === 40 ? 503 : index % 17 === 16 ? 404 : 200
    const durationMs = 8 + ((index * 37) % 90) + (index % 23 === 0 ? 1400 : 0)
    return request(name, (index + 1) * 7 * secondMs, [method, route, status], durationMs, {
      reqId: `req-${index}`,
    })
  })
}

function failures(): Line[] {
  const failed = (index: number) =>
    line('shop', 90 * secondMs + index * 100 * secondMs, 50, 'checkout failed', {
      reqId: `req-${index}`,
      route: '/cart',
      user: { id: `user-${index % 3}`, plan: 'pro' },
      err: {
        type: 'TypeError',
        message: "Cannot read properties of null (reading 'total')",
        stack:
          "TypeError: Cannot read properties of null (reading 'total')\n" +
          '    at sumOf (/app/src/cart.ts:18:23)\n' +
          '    at checkout (/app/src/checkout.ts:42:17)\n' +
          '    at preHandlerCallback (/app/node_modules/fastify/lib/handleRequest.js:137:37)',
        digest: sceneDigest,
      },
    })
  const late = (index: number) =>
    line('checkout', (8 + index * 11) * minuteMs, 60, 'card network did not answer', {
      err: {
        type: 'TimeoutError',
        message: 'card network did not answer',
        stack: 'TimeoutError: card network did not answer\n    at charge (/app/src/charge.ts:31:9)',
      },
    })
  return [...Array.from({ length: 12 }, (_, index) => failed(index)), ...[0, 1, 2, 3].map(late)]
}

/** A checkout across three services. */
function trace(): Line[] {
  const agoMs = 40 * secondMs
  const of = (spanId: string, parentSpanId?: string) => ({ traceId: sceneTraceId, spanId, parentSpanId })
  return [
    request('shop', agoMs - 1240, ['POST', '/checkout', 500], 1240, of('aaaaaaaaaaaaaaaa')),
    line('shop', agoMs - 12, 20, 'cart loaded', { traceId: sceneTraceId }),
    request(
      'search',
      agoMs - 115,
      ['GET', '/stock/:sku', 200],
      95,
      of('bbbbbbbbbbbbbbbb', 'aaaaaaaaaaaaaaaa'),
    ),
    request(
      'checkout',
      agoMs - 1060,
      ['POST', '/charge', 502],
      620,
      of('cccccccccccccccc', 'aaaaaaaaaaaaaaaa'),
    ),
    line('checkout', agoMs - 760, 40, 'payment failed, trying again in 400 ms', { traceId: sceneTraceId }),
  ]
}

/** Long, right-to-left and empty messages. */
function odd(): Line[] {
  return [
    line('search', 50 * secondMs, 20, `index merged: ${'segment '.repeat(60)}`),
    line('shop', 52 * secondMs, 40, 'סליחה, התשלום נכשל'),
    line('shop', 55 * secondMs, 10, ''),
  ]
}
