import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * Returns the key by which limits distinguish clients: the IPv4 address or the IPv6 network. If the connection is already
 * closed, for example after a malformed body, the address is unknown. Clients with unknown addresses share one key.
 */
export function clientAddress({ ip }: Pick<FastifyRequest, 'ip'>): string {
  // The address may be undefined, despite Fastify's type.
  const address: string | undefined = ip
  return address === undefined ? 'closed' : normalizeIP(withoutPort(address))
}

/**
 * Removes the port, and the brackets of an IPv6 address. Some proxies, such as Azure Application Gateway, write the port of
 * the client into `X-Forwarded-For`. It differs for each connection.
 */
export function withoutPort(address: string): string {
  return address.replace(/^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2')
}

/** Returns the id of the secret token that the client sent, or otherwise the client's address. */
export function clientOf(request: Pick<FastifyRequest, 'ip' | 'token'>): string {
  return request.token === null || request.token.isPublic ? clientAddress(request) : request.token.id
}
