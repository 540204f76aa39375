// @ts-check
import { createService, listen } from './service.mjs'

/**
 * Starts the service that serves the shop's web pages.
 * @param {{ write: (line: string) => void, api: string, payments: string }} options
 */
export async function openWeb({ write, api, payments }) {
  const app = createService({ name: 'shop-web', version: '2.8.1', write })

  // Hides the cause, as frameworks do: visitors see only a digest, which is also logged.
  app.setErrorHandler((error, request, reply) => {
    const err = error instanceof Error ? error : new Error(String(error))
    const digest = digestOf(err)
    const route = request.routeOptions.url
    request.log.error({ err: Object.assign(err, { digest }), route }, `Failed to load ${route}`)
    return reply.code(500).type('text/html').send(`<h1>Application error</h1><p>Digest: ${digest}</p>`)
  })

  app.get('/', async (request, reply) => {
    const products = await fetchJson(request, `${api}/products`)
    return html(reply, `<h1>Shop</h1><ul>${products.map(nameOf).join('')}</ul>`)
  })

  app.get('/products/:id', async (request, reply) => {
    const { id } = /** @type {{ id: string }} */ (request.params)
    const product = await fetchJson(request, `${api}/products/${id}`)
    return html(reply, `<h1>${product.title}</h1><p>${product.stock.left} left`)
  })

  app.get('/cart/:cart', async (request, reply) => {
    const total = totalOf(await cartOf(request))
    return html(reply, `<h1>Your cart</h1><p>${total / 100} €`)
  })

  app.post('/cart/:cart/checkout', async (request, reply) => {
    const { card } = /** @type {{ card: string }} */ (request.query)
    const totalCents = totalOf(await cartOf(request))
    await fetchJson(request, `${payments}/charges`, { card, totalCents })
    return html(reply, '<h1>Thank you</h1>')
  })

  return listen(app)

  /** @param {import('fastify').FastifyRequest} request */
  function cartOf(request) {
    const { cart } = /** @type {{ cart: string }} */ (request.params)
    return fetchJson(request, `${api}/carts/${cart}`)
  }
}

/**
 * Adds up the prices. Contains the bug of this release: throws if a product was withdrawn and is therefore null.
 * @param {{ items: { product: { priceCents: number }, count: number }[] }} cart
 */
function totalOf(cart) {
  return cart.items.reduce((total, { product, count }) => total + product.priceCents * count, 0)
}

/**
 * Sends a request to another service, with the id of the current request.
 * @param {import('fastify').FastifyRequest} request
 * @param {string} url
 * @param {object} [body]
 */
async function fetchJson(request, url, body) {
  const headers = { 'x-request-id': request.id, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(
    url,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  )
  if (!response.ok) {
    throw new ServiceError(`${new URL(url).pathname} returned ${response.status}`)
  }
  return response.json()
}

class ServiceError extends Error {
  /** @override */
  name = 'ServiceError'
}

/** A 32-bit hash of the message and stack, like a Next.js digest. @param {Error} error */
function digestOf({ message, stack }) {
  let hash = 5381
  for (const character of `${message}${stack}`) hash = (hash * 33) ^ character.charCodeAt(0)
  return String(hash >>> 0)
}

/** @param {import('fastify').FastifyReply} reply @param {string} page */
function html(reply, page) {
  return reply.type('text/html').send(page)
}

/** @param {{ title: string }} product */
function nameOf({ title }) {
  return `<li>${title}</li>`
}
