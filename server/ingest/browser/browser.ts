import { STATUS_CODES } from 'node:http'
import rateLimit from '@fastify/rate-limit'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { BrowserReport } from '../../../shared/browser-report.ts'
import { ownService } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import { screenAt } from '../../../shared/screens.ts'
import type { Context } from '../../context.ts'
import { logClientFailure } from '../../failures/log-client-failure.ts'
import { connectedOrigin, isCrossSite } from '../../middleware/browser-origin.ts'
import { keep } from '../ingest-request.ts'
import { readReport, recordsOf, vitalRecord } from './browser-report.ts'

type Needs = Pick<Context, 'config' | 'events' | 'normalise' | 'failures' | 'build'>

/**
 * `POST /browser`: exceptions and Web Vitals as `sixpane/browser` sends them. Whoever visits a connected application
 * may send here, so everything of it is bounded and nothing of it is believed beyond what a visitor can know. What
 * Sixpane's own pages tell becomes lines of its own log.
 */
const browser: FastifyPluginAsync<{ context: Needs }> = async (fastify, { context }) => {
  const { config, events, normalise } = context
  await fastify.register(async scope => {
    // Before the limit: a page should be able to read that it has met it.
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('vary', 'Origin')
      const origin = connectedOrigin(request, config)
      if (origin !== null) {
        reply.header('access-control-allow-origin', origin)
        // A beacon asks for no answer, and the console of its page would complain of one that it may not have.
        reply.header('cross-origin-resource-policy', 'cross-origin')
      } else if (!isOwn(request)) {
        const message = 'Only pages may send here, of the origins in SIXPANE_BROWSER_ORIGINS'
        return reply.code(403).send({ error: 'Forbidden', message })
      }
    })
    await scope.register(rateLimit, { max: 300, timeWindow: '1 minute' })
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

    scope.options(paths.browser(), (_request, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', 'content-type')
        .header('access-control-max-age', 86_400)
        .send(),
    )
    scope.post(paths.browser(), { bodyLimit: 64 * 1024 }, async (request, reply) => {
      const body = String(request.body ?? '')
      const report = readReport(body)
      const origin = connectedOrigin(request, config)
      if (report === null || (origin !== null && report.service === ownService)) {
        events.refuse(1)
        const message = 'The body is no report of sixpane/browser'
        return reply.code(400).send({ error: 'Bad Request', message })
      }
      if (origin === null) {
        await logOwn(report, request, context)
        return reply.code(204).send()
      }
      const from = { origin, userAgent: request.headers['user-agent'] }
      const read = recordsOf(report, from).map(record => normalise(record, 'browser', Date.now()))
      const refusal = await keep(events, read, body.length)
      if (refusal === null) return reply.code(204).send()
      reply.header('retry-after', refusal.retryAfterSeconds)
      return reply
        .code(refusal.status)
        .send({ error: STATUS_CODES[refusal.status], message: refusal.message })
    })
  })
}

function isOwn(request: FastifyRequest): boolean {
  return request.headers.origin !== undefined && !isCrossSite(request)
}

/**
 * As lines of the log, such figures are no news that would make the pages kept in memory outdated, as those of a
 * connected application do: each visit of a screen sends some.
 */
async function logOwn(report: BrowserReport, request: FastifyRequest, context: Needs): Promise<void> {
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
    'Failed in the browser',
    request,
    context,
  )
}

export default fastifyPlugin(browser, {
  name: 'ingest-browser',
  fastify: '5.x',
  dependencies: ['headers', 'cross-site'],
})
