export const checkoutDigest = '2338471'
export const checkoutRequestId = 'req-checkout-1'

/** pino log lines: one failing checkout among successful requests. */
export function failingCheckout(nowMs: number): object[] {
  const served = Array.from({ length: 30 }, (_, index) => ({
    level: 30,
    time: nowMs - (index + 1) * 20_000,
    name: 'shop',
    version: '1.4.0',
    msg: 'request completed',
    reqId: `req-${index}`,
    req: { method: 'GET', url: `/products/${index}` },
    route: '/products/:id',
    res: { statusCode: 200 },
    responseTime: 12 + index,
  }))
  const failed = {
    level: 50,
    time: nowMs - 5_000,
    name: 'shop',
    version: '1.4.0',
    msg: 'checkout failed',
    reqId: checkoutRequestId,
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    req: { method: 'POST', url: '/checkout' },
    route: '/checkout',
    res: { statusCode: 500 },
    responseTime: 230,
    user: { plan: 'pro' },
    err: {
      type: 'TypeError',
      message: "Cannot read properties of null (reading 'total')",
      stack:
        "TypeError: Cannot read properties of null (reading 'total')\n" +
        '    at checkout (/app/src/checkout.ts:42:17)\n' +
        '    at handle (/app/src/server.ts:18:9)',
      digest: checkoutDigest,
    },
  }
  return [...served, failed]
}
