// @ts-check
import { randomBytes } from 'node:crypto'
import Fastify, { LogController } from 'fastify'
import { pino } from 'pino'

/**
 * Makes a service as a team would: pino, one line a request, an id that goes along.
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
    // One request has one id in every service: it is the trace's too.
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
      'Request answered',
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

/** Logs what was thrown, as a service behind the pages does. @param {import('fastify').FastifyInstance} app */
export function logErrors(app) {
  app.setErrorHandler((error, request, reply) => {
    const err = error instanceof Error ? error : new Error(String(error))
    const route = request.routeOptions.url
    request.log.error({ err, route }, `Failed to answer ${route}`)
    const status = 'statusCode' in err ? Number(err.statusCode) : 500
    return reply.code(status).send({ error: err.message })
  })
}
