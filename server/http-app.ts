import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { parseTraceparent } from '../shared/traceparent.ts'
import authentication from './auth/authentication.ts'
import type { Context } from './context.ts'
import { standaloneStyleSource } from './html/standalone-page.ts'
import { maxHeaderBytes, sendClientError } from './http/client-error.ts'
import { routableUrl } from './http/routable-url.ts'
import { trustedAddresses } from './http/trusted-addresses.ts'
import ingest from './ingest/http-endpoints.ts'
import crossSite from './middleware/cross-site.ts'
import draining from './middleware/draining.ts'
import headers from './middleware/headers.ts'
import proxyWarning from './middleware/proxy-warning.ts'
import requestLog from './middleware/request-log.ts'
import requestSpans from './middleware/request-spans.ts'
import errors from './render/error-handler.ts'
import { hydrationScriptSource } from './render/hydration-script.ts'
import pages from './render/pages.ts'
import { zoneScriptSource } from './render/zone-script.ts'
import assets from './routes/assets.ts'
import backup from './routes/backup.ts'
import reports from './routes/browser-failures.ts'
import completion from './routes/completion/completion.ts'
import exports from './routes/export/export.ts'
import find from './routes/find.ts'
import live from './routes/live.ts'
import metrics from './routes/metrics.ts'
import probes from './routes/probes.ts'
import sentryReleases from './routes/sentry-uploads/sentry-releases.ts'
import sentryUploads from './routes/sentry-uploads/sentry-uploads.ts'
import sourceMaps from './routes/upload-source-map.ts'
import { mapLimits } from './source-maps/map-limits.ts'

/** Returns 64 random bits. Node generates the random bytes of many UUIDs at once, which is faster than `randomBytes`. */
function createRequestId(): string {
  const uuid = randomUUID()
  return uuid.slice(0, 8) + uuid.slice(-8)
}

function traceOf({ traceparent }: IncomingHttpHeaders): { traceId: string } | null {
  const parent = typeof traceparent === 'string' ? parseTraceparent(traceparent) : null
  return parent === null ? null : { traceId: parent.traceId }
}

/** Creates the application without listening. The first registered plugin is the first to handle each request. */
export async function createHttpApp(context: Context): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = context.logger
  const fastify = Fastify({
    loggerInstance: logger,
    // middleware/request-log.ts writes one line per request instead.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestId,
    // Adds the caller's trace id to the log lines of a request.
    childLoggerFactory: (parent, bindings, options, { headers }) =>
      parent.child({ ...bindings, ...traceOf(headers) }, options),
    trustProxy: trustedAddresses(context.config.trustedProxies),
    // Release names can be this long. Fastify's default limit is 100.
    routerOptions: { maxParamLength: mapLimits.nameLength },
    bodyLimit: 1024 * 1024,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    forceCloseConnections: 'idle',
    // Requests on open connections are still served during shutdown, because the event queue closes after the server.
    return503OnClosing: false,
    // Node's default interval would apply the two time limits up to 30 seconds late.
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000, maxHeaderSize: maxHeaderBytes },
    clientErrorHandler: sendClientError,
    rewriteUrl: routableUrl,
  })

  // Plugins for every request
  await fastify.register(headers, {
    scriptSources: [zoneScriptSource, hydrationScriptSource],
    styleSources: [standaloneStyleSource],
  })
  await fastify.register(draining, { context })
  await fastify.register(requestLog)
  await fastify.register(requestSpans, { context })
  await fastify.register(errors, { context })
  await fastify.register(proxyWarning, { context })
  await fastify.register(crossSite, { context })
  await fastify.register(cookie)
  await fastify.register(authentication, { context })
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )

  await fastify.register(metrics, { context })

  // Endpoints that receive events, source maps and reports
  await fastify.register(ingest, { context })
  await fastify.register(sourceMaps, { context })
  await fastify.register(sentryUploads, { context })
  await fastify.register(sentryReleases, { context })
  await fastify.register(reports, { context })

  // Endpoints that return data and pages
  await fastify.register(probes, { context })
  await fastify.register(assets, { context })
  await fastify.register(live, { context })
  await fastify.register(exports, { context })
  await fastify.register(backup, { context })
  await fastify.register(completion, { context })
  await fastify.register(find, { context })
  await fastify.register(pages, { context })
  return fastify
}
