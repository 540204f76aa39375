import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'

export type Proxy = { origin: string; close: () => void }

/**
 * Starts a proxy in front of a server.
 * @param answer returns `true` if it has responded to the request itself
 */
export async function startProxy(
  server: { origin: string },
  answer: (request: IncomingMessage, response: ServerResponse) => boolean,
): Promise<Proxy> {
  const proxy = createServer((request, response) => {
    if (answer(request, response)) return
    const { method, headers, url: path } = request
    const { port } = new URL(server.origin)
    const upstream = forward({ host: '127.0.0.1', port, method, headers, path }, received => {
      response.writeHead(received.statusCode ?? 500, received.headers)
      received.pipe(response)
    })
    upstream.once('error', () => response.destroy())
    request.pipe(upstream)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new TypeError('The proxy has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close() {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}
