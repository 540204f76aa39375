import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'

export type CutProxy = {
  /** The host and port of the proxy. */
  origin: string
  /**
   * Cuts the connection of the next request whose query matches, after the server has processed it. Resolves when the
   * connection is cut.
   */
  cutResponseOf(query: RegExp): Promise<void>
  /** Cuts the connections of all requests, before the server receives them, until `restore` is called. */
  cutAll(): void
  /**
   * Makes the proxy return a ClickHouse error for requests whose query matches, until `restore` is called.
   * @param times the number of requests, by default all
   */
  refuse(query: RegExp, error: { code: number; message: string }, times?: number): void
  /** Makes the proxy return this result for all requests whose query matches, until `restore` is called. */
  answer(query: RegExp, result: string): void
  restore(): void
}

type Answer = { query: RegExp; status: number; headers: Record<string, string>; body: string; times: number }

/** Starts an HTTP proxy that simulates an unreliable network. Stops it when the test ends. */
export async function startCutProxy(t: Test, target: URL): Promise<CutProxy> {
  let cutting: { query: RegExp; onCut: () => void } | null = null
  let answering: Answer | null = null
  let isDown = false
  const proxy = createServer(async (request, response) => {
    if (isDown) return request.socket.destroy()
    const { method, headers, url } = request
    const sent = await buffer(request)
    const query = new URL(url ?? '', 'http://localhost').searchParams.get('query') ?? sent.toString()
    if (answering?.query.test(query) && answering.times > 0) {
      answering.times -= 1
      response.writeHead(answering.status, answering.headers).end(answering.body)
      return
    }
    const cut = cutting?.query.test(query) ? cutting : null
    if (cut !== null) cutting = null
    const upstream = forward({ host: target.hostname, port: target.port, method, headers, path: url })
    upstream.once('response', answer => {
      if (cut !== null) {
        answer.resume().once('end', () => {
          request.socket.destroy()
          cut.onCut()
        })
        return
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    upstream.once('error', () => request.socket.destroy())
    upstream.end(sent)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new TypeError('The proxy has no port')
  return {
    origin: `127.0.0.1:${address.port}`,
    cutResponseOf: query =>
      new Promise(resolve => {
        cutting = { query, onCut: resolve }
      }),
    cutAll: () => {
      isDown = true
    },
    refuse: (query, { code, message }, times = Number.POSITIVE_INFINITY) => {
      const headers = { 'x-clickhouse-exception-code': String(code) }
      answering = { query, status: 500, headers, body: `Code: ${code}. DB::Exception: ${message}`, times }
    },
    answer: (query, result) => {
      answering = { query, status: 200, headers: {}, body: `${result}\n`, times: Number.POSITIVE_INFINITY }
    },
    restore: () => {
      isDown = false
      answering = null
    },
  }
}
