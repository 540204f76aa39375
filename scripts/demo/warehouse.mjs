// @ts-check
import { once } from 'node:events'
import { createServer } from 'node:http'

/** The response time for the slow product. */
const slowMs = 1500

/** Starts an upstream service that does not log. It returns a product's stock, and responds slowly for one product. */
export async function openWarehouse() {
  const server = createServer((request, response) => {
    const isSlow = request.url === '/stock/13'
    const timer = setTimeout(() => response.end('{"left":3}'), isSlow ? slowMs : 5 + Math.random() * 20)
    response.once('close', () => clearTimeout(timer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The warehouse has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
