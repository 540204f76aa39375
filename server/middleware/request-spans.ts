import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { paths } from '../../shared/paths.ts'
import { screenIds, screens } from '../../shared/screens.ts'
import type { Context } from '../context.ts'
import { onceClosed } from '../http/once-closed.ts'
import type { RequestSpan } from '../tracing/tracing.ts'

/**
 * Records a span for each request for a screen, a completion, the command palette, an export or a sign-in. Omits ingest,
 * because Sixpane may send its spans to itself, and each batch of spans would cause another span.
 */
const requestSpans: FastifyPluginAsync<{ context: Pick<Context, 'tracing'> }> = async (
  fastify,
  { context },
) => {
  const recorded = new Set([
    ...screenIds.map(id => screens[id].path),
    paths.complete(),
    paths.find(),
    paths.export({}),
    paths.signIn(),
    paths.signInCallback(),
  ])
  const spans = new WeakMap<FastifyRequest, RequestSpan>()
  fastify.addHook('onRequest', (request, reply, done) => {
    const { method, headers, routeOptions, originalUrl } = request
    const { url: route } = routeOptions
    if (route === undefined || !recorded.has(route)) return done()
    const path = originalUrl.split('?', 1)[0] ?? ''
    const span = context.tracing.startRequest({ method, route, path, headers })
    spans.set(request, span)
    // Fastify's `onResponse` hook does not run if the client disconnects.
    onceClosed(reply, () => span.end(reply.raw.writableFinished ? reply.statusCode : null))
    span.run(done)
  })
  // Without this, the hooks and handlers that run after the body has been read would be outside the span.
  fastify.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else span.run(done)
  })
}

export default fastifyPlugin(requestSpans, { name: 'request-spans', fastify: '5.x' })
