import { Readable } from 'node:stream'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { paths } from '../../../shared/paths.ts'
import type { Context } from '../../context.ts'
import { keep, requestKeyOf, takeAnyBody } from '../ingest-request.ts'
import { RefusedBodyError, readBody } from '../read-body.ts'
import { type Pushed, readEvents } from './read-events.ts'
import { readJsonPush } from './read-json.ts'
import { readProtobufPush } from './read-protobuf.ts'
import { unpackSnappy } from './snappy.ts'

/**
 * `POST /loki/api/v1/push`: Loki's push API, JSON or (for any other type) snappy protobuf, answered as Loki does: 204
 * once all is durable; 400 with a sentence for what can't be read. As in Loki a 400 for some entries keeps the
 * others, and clients do not send it again: https://github.com/grafana/loki/blob/main/pkg/distributor/distributor.go.
 * One that does anyway is known by its bytes, and kept once. Tenants (`X-Scope-OrgID`) are not told apart.
 */
const loki: FastifyPluginAsync<{
  context: Pick<Context, 'config' | 'settings' | 'events' | 'normalise' | 'store' | 'draining'>
}> = async (fastify, { context }) => {
  const { config, events } = context
  const limitBytes = config.ingestLimitBytes

  await fastify.register(async scope => {
    takeAnyBody(scope)
    scope.post(paths.lokiPush(), async (request, reply) => {
      try {
        const body = await bodyOf(request, limitBytes)
        const pushed = isJson(request)
          ? await readEvents(body, readJsonPush, context, limitBytes)
          : await readEvents(unpackSnappy(body, limitBytes), readProtobufPush, context, limitBytes)
        const key = requestKeyOf(paths.lokiPush(), body)
        const refusal = await keep(events, pushed.events, pushed.sizeBytes, key)
        if (refusal !== null) {
          reply.header('retry-after', refusal.retryAfterSeconds)
          return say(reply, refusal.status, refusal.message)
        }
        if (pushed.rejected === 0) return reply.code(204).send()
        events.refuse(pushed.rejected)
        return say(reply, 400, rejection(pushed))
      } catch (error) {
        if (!(error instanceof RefusedBodyError)) throw error
        return say(reply, error.status, error.message)
      }
    })
  })

  fastify.get(paths.lokiReady(), async (_request, reply) => {
    if (context.draining.aborted) return say(reply, 503, 'Stopping')
    const works = await context.store.check().then(
      () => true,
      () => false,
    )
    return works ? say(reply, 200, 'ready') : say(reply, 503, 'The store is unavailable')
  })
}

/** Some clients name snappy as the encoding of protobuf, which it is anyway: https://github.com/grafana/loki/issues/3407 */
function bodyOf({ body, headers }: FastifyRequest, limitBytes: number): Promise<Buffer> {
  const encoding = headers['content-encoding']
  const source = body instanceof Readable ? body : Readable.from([])
  return readBody(source, encoding?.trim().toLowerCase() === 'snappy' ? undefined : encoding, limitBytes)
}

function isJson({ headers }: FastifyRequest): boolean {
  return /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')
}

function rejection({ events, rejected, reason }: Pushed): string {
  const others = events.length === 1 ? 'the other one was kept' : `the other ${events.length} were kept`
  const kept = events.length === 0 ? 'nothing was kept' : others
  return `${rejected} ${rejected === 1 ? 'entry was' : 'entries were'} refused, ${kept}; the first: ${reason}`
}

function say(reply: FastifyReply, status: number, text: string) {
  return reply.code(status).type('text/plain; charset=utf-8').send(`${text}\n`)
}

export default fastifyPlugin(loki, {
  name: 'ingest-loki',
  fastify: '5.x',
  dependencies: ['headers', 'cross-site'],
})
