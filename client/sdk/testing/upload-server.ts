import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import type { Test } from 'tap'

/** A fake Sixpane that records uploaded source maps. */
export async function uploadServer(t: Test, status = 201) {
  const uploads: {
    path: string | null
    release: string | null
    service: string | null
    debugId: string | null
    map: object
  }[] = []
  const server = createServer(async (request, response) => {
    const { searchParams: query } = new URL(request.url ?? '', 'http://x')
    const [path, release, service] = ['path', 'release', 'service'].map(name => query.get(name))
    const map = JSON.parse(String(gunzipSync(await buffer(request))))
    uploads.push({
      path: path ?? null,
      release: release ?? null,
      service: service ?? null,
      debugId: query.get('debug_id'),
      map,
    })
    response.writeHead(status).end('{"id":"7f3a"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  return { uploads, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
}
