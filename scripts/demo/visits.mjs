// @ts-check

/** @typedef {'browse' | 'buy' | 'slow-warehouse' | 'withdrawn-product' | 'declined-card'} Kind */

/** The requests of a visit, in order. @type {Record<Kind, (cart: string) => [method: string, path: string][]>} */
const steps = {
  browse: () => [
    ['GET', '/'],
    ['GET', '/products/42'],
    ['GET', '/products/7'],
  ],
  buy: cart => [
    ['GET', '/'],
    ['GET', '/products/7'],
    ['GET', `/cart/${cart}-7`],
    ['POST', `/cart/${cart}-7/checkout?card=visa`],
  ],
  'slow-warehouse': () => [['GET', '/products/13']],
  'withdrawn-product': cart => [['GET', `/cart/${cart}-99`]],
  'declined-card': cart => [['POST', `/cart/${cart}-42/checkout?card=stolen`]],
}

/** @type {readonly Kind[]} */
const successful = ['browse', 'buy', 'browse', 'browse', 'browse', 'buy', 'browse', 'buy', 'browse', 'browse']

/** Forty visits. Most browse, some buy, and three of the first ten fail. @type {readonly Kind[]} */
export const kinds = [
  ...['browse', 'buy', 'declined-card', 'browse', 'withdrawn-product', 'buy', 'browse', 'slow-warehouse'],
  ...['buy', 'browse', ...successful, ...successful, ...successful],
].map(name => /** @type {Kind} */ (name))

/** @param {number} number the visit's number, starting at 0 @returns {Kind} */
export function kindOf(number) {
  return kinds[number % kinds.length] ?? 'browse'
}

/**
 * Simulates one visitor, who leaves when a request fails.
 * @param {string} url of the shop
 * @param {Kind} kind
 * @returns {Promise<string | null>} the digest of the page that failed, or `null`
 */
export async function visit(url, kind) {
  const cart = Math.random().toString(36).slice(2, 8)
  for (const [method, path] of steps[kind](cart)) {
    const response = await fetch(url + path, { method })
    const page = await response.text()
    if (response.status >= 500) return /Digest: (\d+)/.exec(page)?.[1] ?? null
  }
  return null
}
