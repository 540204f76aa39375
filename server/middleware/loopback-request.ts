import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../settings/addresses.ts'

/**
 * Whether a request is addressed to a loopback name or address. Ignores `X-Forwarded-Host`, because page scripts can set
 * it; they cannot set `Host`. Exactly one `Host` header is required
 * (https://www.rfc-editor.org/rfc/rfc9112#section-3.2), and a host in the request target must also be loopback.
 */
export function isLoopbackRequest({
  raw: { rawHeaders },
  originalUrl,
}: Pick<FastifyRequest, 'raw' | 'originalUrl'>): boolean {
  const hosts = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host',
  )
  return hosts.length === 1 && hosts.every(isLoopbackHost) && isLoopbackTarget(originalUrl)
}

/** @param host the value of a `Host` header: a name or address with an optional port */
function isLoopbackHost(host: string): boolean {
  const [, name = ''] = /^(\[::1\]|[^:]+)(?::\d{1,5})?$/.exec(host.toLowerCase()) ?? []
  return name === '[::1]' || isLoopback(name)
}

/** @param url a request target: `/path`, `*` or `http://host/path` */
function isLoopbackTarget(url: string): boolean {
  if (url.startsWith('/') || url === '*') return true
  const [, host = ''] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  return isLoopbackHost(host)
}
