import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FailureSide } from '../../shared/failure-page.ts'
import type { Context } from '../context.ts'
import { failurePage } from './failure-page.ts'

/** What to say of a failure besides what was thrown. */
type Circumstances = { side: FailureSide; route: string | null }

/**
 * Writes the one log line of a failure: digest, exception, request id, route, release. Gives the digest, which
 * is all that a visitor may learn of it. Never throws: where even that fails there is no digest (`null`), and
 * what is left to say of it goes to standard error.
 */
export async function logFailure(
  thrown: unknown,
  { side, route }: Circumstances,
  request: FastifyRequest,
  { failures, build }: Pick<Context, 'failures' | 'build'>,
): Promise<string | null> {
  try {
    const { digest, exception } = await failures.describe(thrown)
    request.log.error(
      { err: exception, digest, side, method: request.method, route, release: build.version },
      'Failed to load a screen',
    )
    return digest
  } catch (error) {
    process.stderr.write(`Sixpane: a failure could not be logged: ${String(error)}\n`)
    return null
  }
}

/** Answers with the generic failure page. */
export async function sendFailure(
  thrown: unknown,
  route: string | null,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Pick<Context, 'failures' | 'build'>,
): Promise<FastifyReply> {
  const digest = await logFailure(thrown, { side: 'server', route }, request, context)
  return reply
    .code(500)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(failurePage('server', request.host, digest))
}
