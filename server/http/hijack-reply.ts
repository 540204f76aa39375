import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

/**
 * Takes a reply out of Fastify's hands, to write to it piece by piece; the headers that every response carries
 * go along.
 */
export function takeOver(reply: FastifyReply, status: number, headers: OutgoingHttpHeaders): ServerResponse {
  reply.hijack()
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...headers })) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.raw.writeHead(status)
  return reply.raw
}
