// @ts-check
import { randomBytes } from 'node:crypto'
import Fastify, { LogController } from 'fastify'
import { pino } from 'pino'

/**
 * Creates a typical service, which logs one pino line per request and uses the request id of its caller.
 * @param {{ name: string, version: string, write: (line: string) => void }} options
 */
export function createService({ name, version, write }) {
  const logger = pino({ base: { name, version, demo: true } }, { write })
  const app = Fastify({
    loggerInstance: /** @type {import('fastify').FastifyBaseLogger} */ (logger),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' ? given : randomBytes(16).toString('hex')
    },
    // The request id is the same in every service and is also the trace id.
    childLoggerFactory: (parent, bindings, options) =>
      parent.child({ ...bindings, traceId: bindings.reqId }, options),
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url
    request.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
      },
      'Request completed',
    )
  })
  return app
}

/**
 * @param {import('fastify').FastifyInstance} app
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function listen(app) {
  const url = await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => 'Listening' })
  return { url, close: () => app.close() }
}

/** Logs errors like a typical backend service. @param {import('fastify').FastifyInstance} app */
export function logErrors(app) {
  app.setErrorHandler((error, request, reply) => {
    const err = error instanceof Error ? error : new Error(String(error))
    const route = request.routeOptions.url
    request.log.error({ err, route }, `Request to ${route} failed`)
    const status = 'statusCode' in err ? Number(err.statusCode) : 500
    return reply.code(status).send({ error: err.message })
  })
}
