import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Context } from '../context.ts'
import { routeDependencies } from '../http/route-dependencies.ts'
import browser, { type BrowserContext } from './browser/browser.ts'
import type { IngestContext } from './ingest-endpoint.ts'
import loki from './loki/loki.ts'
import lokiReady from './loki/ready.ts'
import ndjson from './ndjson/ndjson.ts'
import { otlpLogs, otlpTraces } from './otlp/otlp.ts'
import sentry from './sentry/sentry.ts'

type Needs = IngestContext & BrowserContext & Pick<Context, 'store' | 'draining'>

/** Registers the endpoints of all ingest protocols. */
const ingest: FastifyPluginAsync<{ context: Needs }> = async (fastify, options) => {
  await fastify.register(ndjson, options)
  await fastify.register(otlpLogs, options)
  await fastify.register(otlpTraces, options)
  await fastify.register(loki, options)
  await fastify.register(lokiReady, options)
  await fastify.register(browser, options)
  await fastify.register(sentry, options)
}

export default fastifyPlugin(ingest, {
  name: 'ingest',
  fastify: '5.x',
  dependencies: routeDependencies,
})
