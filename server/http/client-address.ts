import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * Returns the key of a client for limits: its IPv4 address or its IPv6 network. If the connection is already closed, for
 * example after a malformed body, the address is unknown. Such clients share one key.
 */
export function clientAddress({ ip }: Pick<FastifyRequest, 'ip'>): string {
  // The address may be undefined, despite Fastify's type.
  const address: string | undefined = ip
  return address === undefined ? 'closed' : normalizeIP(address)
}
