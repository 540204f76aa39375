import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { clientOf } from '../../http/client-address.ts'
import { HttpError } from '../../http/http-error.ts'
import { readBody } from '../../http/read-body.ts'

const maxJsonBytes = 1e6

/**
 * Reads a small JSON body; requires `acceptAnyBody`.
 * @throws HttpError
 */
export async function readJsonBody(
  request: FastifyRequest,
  memory: Pick<Context['memory'], 'uploads'>,
): Promise<unknown> {
  const lease = memory.uploads.openLease(clientOf(request))
  try {
    const body = await readBody(request, { limitBytes: maxJsonBytes, reserve: lease.reserve })
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw new HttpError(400, 'The body is not valid JSON')
    throw error
  } finally {
    lease.release()
  }
}
