// @ts-check
import { once } from 'node:events'
import { createServer } from 'node:http'

/** How long it looks for a product that it can't find. */
const slowMs = 1500

/** An upstream of another team, without a log of its own: it knows the stock of all products but is slow for one. */
export async function openWarehouse() {
  const server = createServer((request, answer) => {
    const isLost = request.url === '/stock/13'
    const timer = setTimeout(() => answer.end('{"left":3}'), isLost ? slowMs : 5 + Math.random() * 20)
    answer.once('close', () => clearTimeout(timer))
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
