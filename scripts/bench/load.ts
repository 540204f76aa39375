import autocannon from 'autocannon'

export type Load = {
  origin: string
  /** Returns the path of the next request. */
  path: () => string
  isShort: boolean
  /** Returns the next body, which makes the request a POST. */
  body?: () => string
  onHeaders?: (headers: string[]) => void
}

/**
 * Sends GET requests over 16 connections, or POST requests over 8, for three seconds. Returns the number of successful
 * requests per second. An overloaded server may reject some requests.
 * @throws Error if most requests fail
 */
export async function load({ origin, path, isShort, body, onHeaders }: Load): Promise<number> {
  const result = await autocannon({
    url: origin,
    ...(isShort ? { connections: 2, amount: 4 } : { connections: body === undefined ? 16 : 8, duration: 3 }),
    setupClient: client => client.on('headers', ({ headers = [] }) => onHeaders?.([headers].flat())),
    headers: { 'accept-encoding': 'gzip', 'content-type': 'application/x-ndjson' },
    requests: [
      {
        method: body === undefined ? 'GET' : 'POST',
        setupRequest: request => ({
          ...request,
          path: path(),
          ...(body === undefined ? {} : { body: body() }),
        }),
      },
    ],
  })
  const failures = result.non2xx + result.errors
  if (failures > result['2xx']) throw new Error(`${failures} requests to ${origin} failed`)
  return result['2xx'] / result.duration
}
