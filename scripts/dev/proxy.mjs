// @ts-check
import { createServer, request } from 'node:http'

/** Reloads once the build is another than at first. A file of its own, as the pages' policy allows no inline script. */
const script = `let build
new EventSource('/dev-reload').onmessage = ({ data }) => {
  if (build !== undefined && build !== data) location.reload()
  build = data
}
`
const tag = '<script src="/dev-reload.js"></script>'

/**
 * Passes every request on to the server behind it, as soon as that one is ready, and adds to HTML a script that
 * reloads the page after a change.
 * @param {{ port: number, ready: () => Promise<boolean> }} behind `ready` resolves when the server listens, with
 *   `false` when it could not start
 */
export function createProxy(behind) {
  /** @type {Set<import('node:http').ServerResponse>} */
  const watching = new Set()
  let build = Date.now()

  const server = createServer(async (incoming, answer) => {
    if (incoming.url === '/dev-reload.js') {
      answer.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' }).end(script)
    } else if (incoming.url === '/dev-reload') {
      watching.add(answer)
      answer.once('close', () => watching.delete(answer))
      answer.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      answer.write(`data: ${build}\n\n`)
    } else if (await behind.ready()) {
      pass(behind.port, incoming, answer)
    } else {
      apologise(answer)
    }
  })

  return {
    server,
    /** Tells every open page that there is something new. */
    reload() {
      build++
      for (const answer of watching) answer.write(`data: ${build}\n\n`)
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * @param {number} port
 * @param {import('node:http').IncomingMessage} incoming
 * @param {import('node:http').ServerResponse} answer
 */
function pass(port, incoming, answer) {
  const { method, url: path } = incoming
  // Only what is not compressed can be added to.
  const headers = { ...incoming.headers, 'accept-encoding': 'identity' }
  // A connection each: one that is kept would end with the server's next start, maybe under a request.
  const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, from => {
    const isHtml = /^text\/html\b/.test(from.headers['content-type'] ?? '') && from.statusCode !== 304
    const adds = isHtml && method === 'GET'
    if (adds) delete from.headers['content-length']
    answer.writeHead(from.statusCode ?? 502, from.headers)
    from.pipe(answer, { end: !adds })
    if (adds) from.once('end', () => answer.end(tag))
    from.once('error', () => answer.destroy())
  })
  outgoing.once('error', () => apologise(answer))
  answer.once('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

/** @param {import('node:http').ServerResponse} answer */
function apologise(answer) {
  if (answer.headersSent) {
    answer.destroy()
    return
  }
  answer.writeHead(503, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  answer.end(`<!doctype html><title>Sixpane</title><p>The server does not run: see the terminal.</p>${tag}`)
}
