export const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

/** Log lines of a slow, failing checkout across three services. The clock of one service is slow. */
export function failingTrace(nowMs: number): object[] {
  const atMs = nowMs - 60_000
  const line = (name: string, offsetMs: number, level: number, msg: string, rest: object = {}) => ({
    name,
    time: atMs + offsetMs,
    level,
    msg,
    traceId,
    ...rest,
  })
  const request = (
    name: string,
    startMs: number,
    durationMs: number,
    [method, route, status]: [string, string, number],
    span: object,
  ) =>
    line(name, startMs + durationMs, status >= 500 ? 50 : 30, 'request completed', {
      req: { method, url: route },
      route,
      res: { statusCode: status },
      responseTime: durationMs,
      ...span,
    })
  const root = 'aaaaaaaaaaaaaaaa'
  return [
    request('shop', 0, 1240, ['POST', '/checkout', 500], { spanId: root }),
    line('shop', 12, 20, 'cart loaded'),
    request('stock', 20, 95, ['GET', '/stock/:sku', 200], {
      spanId: 'bbbbbbbbbbbbbbbb',
      parentSpanId: root,
    }),
    line('stock', 60, 40, 'stock is low'),
    request('pay', -180, 620, ['POST', '/charge', 502], { spanId: 'cccccccccccccccc', parentSpanId: root }),
    line('pay', 430, 50, 'card network did not answer', {
      err: {
        type: 'TimeoutError',
        message: 'card network did not answer',
        stack: 'TimeoutError: card network did not answer\n    at charge (/app/src/charge.ts:31:9)',
        digest: '4711471147',
      },
    }),
    line('shop', 760, 40, 'payment failed, trying again in 400 ms'),
    line('shop', 1230, 30, 'סליחה, התשלום נכשל'),
    line('shop', 1235, 30, 'x'.repeat(10_000)),
  ]
}
