import { randomBytes } from 'node:crypto'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import completion from './completion/completion.ts'
import type { Context } from './context.ts'
import exports from './export/export.ts'
import find from './find/find.ts'
import access from './http/access.ts'
import assets from './http/assets.ts'
import crossSite from './http/cross-site.ts'
import errors from './http/errors.ts'
import headers from './http/headers.ts'
import live from './http/live.ts'
import probes from './http/probes.ts'
import reports from './http/reports.ts'
import requestLog from './http/request-log.ts'
import browser from './ingest/browser.ts'
import loki from './ingest/loki/loki.ts'
import ingest from './ingest/ndjson.ts'
import otlp from './ingest/otlp/otlp.ts'
import sourceMaps from './ingest/source-maps.ts'
import pages from './render/pages.ts'

/** The application: every room in the order in which a request meets it. */
export async function createApp(context: Context): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = context.logger
  const fastify = Fastify({
    loggerInstance: logger,
    // One line a request is ours to write: see http/request-log.ts.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomBytes(8).toString('hex'),
    trustProxy: [...context.config.trustedProxies],
    bodyLimit: 1024 * 1024,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    forceCloseConnections: 'idle',
    http: { headersTimeout: 15_000 },
  })

  // What every request meets
  await fastify.register(headers)
  await fastify.register(requestLog)
  await fastify.register(errors, { context })
  await fastify.register(crossSite, { context })
  await fastify.register(access, { context })
  await fastify.register(cookie)
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )

  // The ways in
  await fastify.register(ingest, { context })
  await fastify.register(otlp, { context })
  await fastify.register(loki, { context })
  await fastify.register(sourceMaps, { context })
  await fastify.register(browser, { context })
  await fastify.register(reports, { context })

  // The ways out
  await fastify.register(probes, { context })
  await fastify.register(assets, { context })
  await fastify.register(live, { context })
  await fastify.register(exports, { context })
  await fastify.register(completion, { context })
  await fastify.register(find, { context })
  await fastify.register(pages, { context })
  return fastify
}
