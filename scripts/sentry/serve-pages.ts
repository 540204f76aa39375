import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'

const types: { [extension: string]: string } = { '.html': 'text/html', '.js': 'text/javascript' }

/** Serves the files of a new temporary folder. */
export async function servePages(): Promise<{ origin: string; folder: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-sentry-'))
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const type = types[extname(pathname)]
    const file = type === undefined ? null : await readFile(join(folder, pathname)).catch(() => null)
    if (file === null) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': type }).end(file)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    folder,
    async stop() {
      server.close()
      await rm(folder, { recursive: true })
    },
  }
}
