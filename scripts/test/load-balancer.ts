import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { maxHeaderBytes } from '../../server/http/client-error.ts'

export type LoadBalancer = {
  origin: string
  close(): Promise<void>
}

/**
 * Starts an HTTP proxy that sends each request to the next server. Tries another server if one cannot be reached or closes the
 * connection before it responds, like nginx's `proxy_next_upstream`, and responds with status 502 if none responds.
 * @param origins returns the origins of the servers
 */
export async function startLoadBalancer(
  origins: () => readonly string[],
  port: number,
): Promise<LoadBalancer> {
  let turn = 0

  const balance = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    const servers = origins()
    turn += 1
    for (let attempt = 0; attempt < servers.length; attempt += 1) {
      const origin = servers[(turn + attempt) % servers.length]
      if (origin === undefined) break
      const answer = await send(origin, request, body).catch(() => null)
      if (answer === null) continue
      response.once('close', () => answer.destroy())
      answer.once('error', () => response.destroy())
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      return
    }
    response.writeHead(502).end()
  }

  const server = createServer({ maxHeaderSize: maxHeaderBytes }, (request, response) => {
    balance(request, response).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The load balancer has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

async function send(
  origin: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  const { hostname, port } = new URL(origin)
  const sent = forward({ hostname, port, method, path: url, headers, agent: false })
  const [answer]: IncomingMessage[] = await Promise.race([
    once(sent.end(body), 'response'),
    once(sent, 'close').then(() => {
      throw new Error('The server closed the connection')
    }),
  ])
  if (answer === undefined) throw new Error('The server did not respond')
  return answer
}
