import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyPluginAsync, FastifyReply } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { paths } from '../../shared/paths.ts'
import type { Context } from '../context.ts'
import { refusalPage } from '../html/refusal-page.ts'
import { hasDisconnected } from '../http/disconnect-signal.ts'
import { acceptsHtml, htmlType, isPageLoad } from '../http/html-response.ts'
import { HttpError } from '../http/http-error.ts'
import { logFailure, sendFailure } from './fail.ts'
import { failureResponseTo } from './failure-response.ts'

/**
 * Responds to errors outside the screens. Sends the messages of `HttpError`, Fastify and the rate limit plugin, and a
 * generic message for other errors with a 4xx status. Logs all remaining errors with a digest, and sends the digest with the
 * response from `failureResponseTo`.
 */
const errors: FastifyPluginAsync<{ context: Pick<Context, 'failures' | 'build'> }> = async (
  fastify,
  { context },
) => {
  fastify.setErrorHandler<FastifyError | HttpError>(async (error, request, reply) => {
    // Headers of a file that could not be read. With them, the browser would save the error as the file.
    reply.removeHeader('content-disposition').removeHeader('content-type')
    const refusal = refusalOf(error)
    if (refusal !== null) {
      const { statusCode, message, headers, details } = refusal
      if (isPageLoad(request)) return sendRefusal(refusal, reply)
      return reply
        .code(statusCode)
        .headers(headers)
        .send({ error: nameOf(statusCode), message, ...details })
    }
    // A read aborted by a disconnect is not a failure. Its error depends on the store.
    if (request.method === 'GET' && hasDisconnected(request)) return reply.hijack()
    const origin = { kind: 'request', route: request.routeOptions.url ?? null } as const
    if (acceptsHtml(request)) return sendFailure(error, origin, reply, context)
    const digest = await logFailure(error, origin, request, context)
    const failure = failureResponseTo(error)
    return reply
      .code(failure.status)
      .headers(failure.headers)
      .send({ error: nameOf(failure.status), message: failure.message, digest })
  })
}

/** Returns an error that the client may see, or `null` if Sixpane itself failed. */
function refusalOf(error: FastifyError | HttpError): HttpError | null {
  if (error instanceof HttpError) return error
  const status = error.statusCode ?? 500
  if (status < 400 || status >= 500) return null
  // The rate limit plugin throws errors with status 429.
  const isSafe = status === 429 || error.code?.startsWith('FST_')
  return new HttpError(status, isSafe ? error.message : 'The request is invalid')
}

function sendRefusal({ statusCode, message, headers }: HttpError, reply: FastifyReply) {
  const text = /[.!?]$/.test(message) ? message : `${message}.`
  return reply
    .code(statusCode)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .type(htmlType)
    .send(refusalPage(nameOf(statusCode), text, [{ text: 'Home', href: paths.home() }]))
}

function nameOf(status: number): string {
  return STATUS_CODES[status] ?? 'Error'
}

export default fastifyPlugin(errors, { name: 'errors', fastify: '5.x', dependencies: ['headers'] })
