import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { QueryLimitError, StoreUnavailableError } from '../store/store.ts'
import { failurePage } from './failure-page.ts'
import { limitPage } from './limit-page.ts'
import { storeHeaders, storePage } from './store-page.ts'

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

/** Logs the failure and responds with the generic failure page, or with one that says that the store cannot be used or a
 * query exceeded a limit. */
export async function sendFailure(
  thrown: unknown,
  origin: FailureOrigin,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Pick<Context, 'failures' | 'build'>,
): Promise<FastifyReply> {
  const digest = await logFailure(thrown, origin, request, context)
  if (thrown instanceof StoreUnavailableError)
    return reply.code(503).headers(storeHeaders).type('text/html; charset=utf-8').send(storePage(digest))
  if (thrown instanceof QueryLimitError)
    return reply
      .code(422)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(limitPage(thrown, digest))
  return reply
    .code(500)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(failurePage('server', request.host, digest))
}
