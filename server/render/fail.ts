import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { htmlType } from '../http/html-response.ts'
import { failureResponseTo } from './failure-response.ts'

/** The kind and the route of the failed request. */
type FailureOrigin = { kind: keyof typeof messages; route: string | null }

const messages = { screen: 'Failed to load a screen', request: 'Failed to handle a request' } as const

/**
 * Logs a failure with its digest, exception, request id, route and release. Returns the digest, the only part that visitors
 * may see. Never throws: if logging fails, writes to standard error and returns `null`.
 */
export async function logFailure(
  thrown: unknown,
  { kind, route }: FailureOrigin,
  request: FastifyRequest,
  { failures, build }: Pick<Context, 'failures' | 'build'>,
): Promise<string | null> {
  try {
    const { digest, exception } = await failures.describe(thrown)
    request.log.error(
      { err: exception, digest, side: 'server', method: request.method, route, release: build.version },
      messages[kind],
    )
    return digest
  } catch (error) {
    process.stderr.write(`Sixpane: a failure could not be logged: ${String(error)}\n`)
    return null
  }
}

/** Logs the failure and responds with the page from `failureResponseTo`. */
export async function sendFailure(
  thrown: unknown,
  origin: FailureOrigin,
  reply: FastifyReply,
  context: Pick<Context, 'failures' | 'build'>,
): Promise<FastifyReply> {
  const { request } = reply
  const digest = await logFailure(thrown, origin, request, context)
  const { status, headers, page } = failureResponseTo(thrown)
  return reply.code(status).headers(headers).type(htmlType).send(page(request.host, digest))
}
