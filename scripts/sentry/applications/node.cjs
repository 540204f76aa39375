// A service with Sentry's SDK for Node.js. Fails once, and sends the same error to Sixpane as pino would.
//
//   SENTRY_DSN=… SENTRY_RELEASE=… DIGEST=… SIXPANE_URL=… SIXPANE_TOKEN=… node node.cjs
const Sentry = require('@sentry/node')
const { digestIntegration } = require('sixpane/sentry')

const { SENTRY_DSN, SENTRY_RELEASE, SIXPANE_URL, SIXPANE_TOKEN, DIGEST } = process.env
Sentry.init({
  dsn: SENTRY_DSN,
  release: SENTRY_RELEASE,
  integrations: [digestIntegration()],
  tracesSampleRate: 1,
  enableLogs: true,
  _experiments: { enableLogs: true },
})
// Must be loaded after the SDK has replaced functions of this module.
const { createServer, get } = require('node:http')

function pay() {
  throw Object.assign(new TypeError('card declined'), { digest: DIGEST })
}

const server = createServer(async (_request, response) => {
  Sentry.setUser({ id: 'u1' })
  Sentry.setTag('plan', 'pro')
  Sentry.addBreadcrumb({ category: 'cart', message: 'loaded cart' })
  // Version 8 has no logs.
  Sentry.logger?.warn('low stock', { sku: 'A1' })
  try {
    pay()
  } catch (error) {
    await logWithPino(error)
    Sentry.captureException(error)
  }
  response.writeHead(500).end()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  get(`http://127.0.0.1:${port}/cart?id=7`, response => {
    response.resume().on('end', async () => {
      await Sentry.close(10_000)
      process.exit()
    })
  })
})

async function logWithPino(error) {
  const { name, message, stack } = error instanceof Error ? error : new Error()
  const line = { name: 'shop', version: SENTRY_RELEASE?.split('@')[1], err: { type: name, message, stack } }
  await fetch(`${SIXPANE_URL}/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SIXPANE_TOKEN}` },
    body: JSON.stringify(line),
  })
}
