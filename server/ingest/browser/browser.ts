import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { BrowserReport } from '../../../shared/browser-report.ts'
import { paths } from '../../../shared/paths.ts'
import { screenAt } from '../../../shared/screens.ts'
import type { Context } from '../../context.ts'
import { logClientFailure } from '../../failures/log-client-failure.ts'
import { groupRedactedReport } from '../../failures/redacted-report.ts'
import { HttpError } from '../../http/http-error.ts'
import { routeDependencies } from '../../http/route-dependencies.ts'
import { connectedOrigin, isCrossSite } from '../../middleware/browser-origin.ts'
import { acceptConnectedPages } from '../connected-pages.ts'
import { isOwnName } from '../own-name.ts'
import { storeEvents } from '../store-events.ts'
import { readReport, recordsOf, vitalRecord } from './browser-report.ts'

export type BrowserContext = Pick<Context, 'config' | 'events' | 'normalise' | 'failures' | 'build'>

/**
 * `POST /browser`: exceptions and Web Vitals from `sixpane/browser`. Any visitor to a connected application can send
 * reports, so their content is untrusted and limited. Reports from Sixpane's own pages are logged.
 */
const browser: FastifyPluginAsync<{ context: BrowserContext }> = async (fastify, { context }) => {
  const { events, normalise } = context
  const config = { access: { role: 'viewer', pages: 'reports' } } as const
  await fastify.register(async scope => {
    await acceptConnectedPages(scope, {
      config: context.config,
      paths: [paths.browser()],
      access: config.access,
      allowedHeaders: 'content-type',
    })
    scope.addHook('onRequest', async request => {
      if (connectedOrigin(request, context.config) === null && !isOwnPage(request)) {
        throw new HttpError(403, 'Only pages from the origins in SIXPANE_BROWSER_ORIGINS may send reports')
      }
    })
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

    scope.post(paths.browser(), { config, bodyLimit: 64 * 1024 }, async (request, reply) => {
      const body = String(request.body ?? '')
      const report = readReport(body)
      const origin = connectedOrigin(request, context.config)
      if (report === null || (origin !== null && isOwnName(report.service))) {
        events.countRejected(1)
        throw new HttpError(400, 'The body is not a report from sixpane/browser')
      }
      if (origin === null) {
        await logReport(report, request, context)
        return reply.code(204).send()
      }
      const from = { origin, userAgent: request.headers['user-agent'] }
      const collected = {
        events: recordsOf(report, from).map(record =>
          groupRedactedReport(normalise(record, 'browser', Date.now())),
        ),
        sizeBytes: body.length,
        rejected: 0,
        ignored: [],
      }
      await storeEvents(collected, undefined, events, context.config.storeDeadlineMs)
      return reply.code(204).send()
    })
  })
}

function isOwnPage(request: FastifyRequest): boolean {
  return request.headers.origin !== undefined && !isCrossSite(request)
}

/**
 * Logs a report from one of Sixpane's pages. Reports are logged instead of queued, because every visit produces some, and
 * log lines, unlike other events, do not invalidate cached pages.
 */
async function logReport(
  report: BrowserReport,
  request: FastifyRequest,
  context: BrowserContext,
): Promise<void> {
  const { error, vitals = [], path } = report
  const route = screenAt(path) === undefined ? null : path
  for (const vital of vitals) {
    const { msg, ...record } = vitalRecord(vital, route ?? 'another page')
    request.log.info({ ...record, side: 'client', route }, msg)
  }
  if (error === undefined) return
  const { type, message, stack } = error
  await logClientFailure(
    { type, message, stack: stack || null },
    path,
    'An error occurred in the browser',
    request,
    context,
  )
}

export default fastifyPlugin(browser, {
  name: 'ingest-browser',
  fastify: '5.x',
  dependencies: routeDependencies,
})
