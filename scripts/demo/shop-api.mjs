// @ts-check
import { setTimeout as sleep } from 'node:timers/promises'
import { createService, listen, logErrors } from './service.mjs'

/** Products by id. Product 99 was withdrawn, but carts still contain it. */
const products = new Map([
  ['7', { id: '7', title: 'Kettle', priceCents: 2900 }],
  ['13', { id: '13', title: 'Lantern', priceCents: 4500 }],
  ['42', { id: '42', title: 'Towel', priceCents: 1200 }],
])
const warehouseTimeoutMs = 250

/**
 * Starts the service for the catalogue and the carts.
 * @param {{ write: (line: string) => void, warehouse: string }} options
 */
export async function openApi({ write, warehouse }) {
  const app = createService({ name: 'shop-api', version: '5.1.0', write })
  logErrors(app)

  app.get('/products', async () => {
    await sleep(4 + Math.random() * 12)
    return [...products.values()]
  })

  app.get('/products/:id', async request => {
    const { id } = /** @type {{ id: string }} */ (request.params)
    return { ...products.get(id), stock: await stockOf(id) }
  })

  // A cart's name ends with the id of its product.
  app.get('/carts/:cart', async request => {
    const { cart } = /** @type {{ cart: string }} */ (request.params)
    await sleep(3 + Math.random() * 8)
    const product = products.get(cart.split('-')[1] ?? '') ?? null
    return { items: [{ product, count: 1 }] }
  })

  return listen(app)

  /** @param {string} id */
  async function stockOf(id) {
    try {
      const response = await fetch(`${warehouse}/stock/${id}`, {
        signal: AbortSignal.timeout(warehouseTimeoutMs),
      })
      return await response.json()
    } catch (cause) {
      throw new UpstreamError(`The warehouse did not respond within ${warehouseTimeoutMs} ms`, { cause })
    }
  }
}

class UpstreamError extends Error {
  /** @override */
  name = 'UpstreamError'
  statusCode = 504
}
