import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * Identifies a client by its address, for limits. An IPv6 client is identified by its network. Clients whose connection is
 * already closed, for example after a malformed body, share one key, because they have no address any more.
 */
export function clientAddress({ ip }: Pick<FastifyRequest, 'ip'>): string {
  // Fastify's type does not say that the address may be missing.
  const address: string | undefined = ip
  return address === undefined ? 'closed' : normalizeIP(address)
}
