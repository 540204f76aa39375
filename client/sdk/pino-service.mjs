// A typical service with Fastify, pino and Sixpane's transport. Prints its URL on standard output.
import fastify from 'fastify'

const { default: sixpane } = await import(String(new URL('../../dist/sdk/fastify.js', import.meta.url)))

const app = fastify({
  logger: {
    name: 'shop',
    transport: { target: 'sixpane/pino', options: { release: '1.4.0' } },
  },
})
app.register(sixpane)

app.get('/cart', async request => {
  request.log.warn({ cart: { items: 3 } }, 'cart is about to expire')
  return 'cart'
})
app.get('/checkout', async () => {
  throw Object.assign(new TypeError('card declined'), { digest: '2338471' })
})
app.post('/pay', async () => {
  throw new Error('bank unreachable')
})
app.get('/lines', async request => {
  const { from, to } = /** @type {{ from: string, to: string }} */ (request.query)
  for (let id = Number(from); id < Number(to); id++) app.log.info({ id }, 'steady')
  return 'logged'
})
process.once('SIGTERM', () => app.close())

process.stdout.write(await app.listen({ host: '127.0.0.1', port: 0 }))
