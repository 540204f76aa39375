import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { paths } from '../../shared/paths.ts'
import type { Context } from '../context.ts'
import { refusalPage } from '../html/refusal-page.ts'
import { HttpError } from '../http/http-error.ts'
import { QueryLimitError, StoreUnavailableError } from '../store/store.ts'
import { logFailure, sendFailure } from './fail.ts'
import { limitMessage } from './limit-page.ts'
import { storeHeaders, storeProblem } from './store-page.ts'

/**
 * Responds to errors outside the screens. Sends only the messages of `HttpError` and Fastify's messages about invalid
 * requests. Logs server errors with a digest, and sends only the digest, with status 503 if the store cannot be used, or 422
 * and the limit if a query exceeded one.
 */
const errors: FastifyPluginAsync<{ context: Pick<Context, 'failures' | 'build'> }> = async (
  fastify,
  { context },
) => {
  fastify.setErrorHandler<FastifyError | HttpError>(async (error, request, reply) => {
    if (error instanceof HttpError) {
      const { statusCode, message, headers, details } = error
      if (isPageLoad(request)) return sendRefusal(error, reply)
      return reply
        .code(statusCode)
        .headers(headers)
        .send({ error: nameOf(statusCode), message, ...details })
    }
    const status = error.statusCode ?? 500
    if (status >= 400 && status < 500) {
      // The rate limit plugin throws errors with status 429.
      const isSafe = status === 429 || error.code?.startsWith('FST_')
      const message = isSafe ? error.message : 'The request is invalid'
      return reply.code(status).send({ error: nameOf(status), message })
    }
    const origin = { kind: 'request', route: request.routeOptions.url ?? null } as const
    if (request.headers.accept?.includes('text/html'))
      return sendFailure(error, origin, request, reply, context)
    const digest = await logFailure(error, origin, request, context)
    if (error instanceof StoreUnavailableError)
      return reply
        .code(503)
        .headers(storeHeaders)
        .send({ error: nameOf(503), message: storeProblem, digest })
    if (error instanceof QueryLimitError)
      return reply
        .code(422)
        .header('cache-control', 'no-store')
        .send({ error: nameOf(422), message: limitMessage(error), digest })
    return reply
      .code(500)
      .header('cache-control', 'no-store')
      .send({ error: nameOf(500), digest })
  })
}

/** Whether a browser shows the response as a document. */
function isPageLoad({ headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode'] ?? 'navigate'
  return mode === 'navigate' && headers.accept?.includes('text/html') === true
}

function sendRefusal({ statusCode, message, headers }: HttpError, reply: FastifyReply) {
  const text = /[.!?]$/.test(message) ? message : `${message}.`
  return reply
    .code(statusCode)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(refusalPage(nameOf(statusCode), text, [{ text: 'Home', href: paths.home() }]))
}

function nameOf(status: number): string {
  return STATUS_CODES[status] ?? 'Error'
}

export default fastifyPlugin(errors, { name: 'errors', fastify: '5.x', dependencies: ['headers'] })
