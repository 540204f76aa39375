/**
 * Serves an application that handles fetch requests. Compresses responses at Sixpane's level. Takes less CPU time than the
 * frameworks' own servers.
 */
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** @param {(request: Request) => Promise<Response>} respond */
export function serve(respond) {
  const server = createServer(async (request, reply) => {
    const response = await respond(
      new Request(`http://${request.headers.host}${request.url}`, { headers: request.headers }),
    )
    reply.writeHead(response.status, { ...Object.fromEntries(response.headers), 'content-encoding': 'gzip' })
    // The load generator may disconnect before the end of a response.
    await pipeline(Readable.fromWeb(response.body), createGzip({ level: 1 }), reply).catch(() => {})
  })
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
}
