import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

/** Detaches a reply from Fastify to stream its body. Sends the headers, including those that plugins have set. */
export function hijackReply(
  reply: FastifyReply,
  status: number,
  headers: OutgoingHttpHeaders,
): ServerResponse {
  reply.hijack()
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...headers })) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.raw.writeHead(status)
  return reply.raw
}
