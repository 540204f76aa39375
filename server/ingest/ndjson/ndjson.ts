import { STATUS_CODES } from 'node:http'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { NewEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import type { Context } from '../../context.ts'
import { bodyOf, keep, mostEvents, requestKeyOf, takeAnyBody, takingTurns } from '../ingest-request.ts'
import { encodings, RefusedBodyError } from '../read-body.ts'
import { createWhyTooOld } from '../retention-check.ts'
import { readLines } from './read-lines.ts'

type Ingested = {
  accepted: number
  rejected: number
  /** The first lines that could not be read, or are older than what is kept. */
  errors: { line: number; reason: string }[]
}

const mostErrors = 20

const view = Type.Object({
  /** What read the lines: the command `sixpane` says that they come from standard input. */
  source: Type.Optional(Type.Union([Type.Literal('ndjson'), Type.Literal('stdin')])),
})
type Source = NonNullable<Static<typeof view>['source']>

/**
 * `POST /ingest`: pino's or plain JSON lines. What can be read is kept and acknowledged once it is durable; what
 * cannot is counted and named by its line, and stops nothing else.
 */
const ndjson: FastifyPluginAsync<{
  context: Pick<Context, 'config' | 'settings' | 'events' | 'normalise' | 'logger'>
}> = async (fastify, { context }) => {
  const { config, events } = context
  await fastify.register(async scope => {
    takeAnyBody(scope)
    scope.post(paths.ingest(), async (request, reply) => {
      const { query } = request
      if (!Value.Check(view, query)) return answer(reply, 400, 'source must be ndjson or stdin, or left out')
      try {
        const body = await bodyOf(request, config.ingestLimitBytes)
        const { outcome, read } = await readEvents(body, context, query.source ?? 'ndjson')
        events.refuse(outcome.rejected)
        const refusal = await keep(events, read, body.length, requestKey(request.headers, body))
        if (refusal !== null) {
          reply.header('retry-after', refusal.retryAfterSeconds)
          return answer(reply, refusal.status, refusal.message)
        }
        if (read.length > 0 || outcome.rejected === 0) return outcome
        const [first] = outcome.errors
        return answer(reply, 400, `No line was kept. Line ${first?.line}: ${first?.reason}`, outcome)
      } catch (error) {
        if (!(error instanceof RefusedBodyError)) throw error
        // https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
        if (error.status === 415) reply.header('accept-encoding', encodings.join(', '))
        return answer(reply, error.status, error.message)
      }
    })
  })
}

/** Lines carry no time of their own for certain, so a request is a repetition only where its client says so. */
function requestKey(headers: Readonly<Record<string, unknown>>, body: Buffer): string | undefined {
  // https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
  const key = headers['idempotency-key']
  return typeof key === 'string' ? requestKeyOf(paths.ingest(), key, body) : undefined
}

async function readEvents(
  body: Buffer,
  { normalise, settings }: Pick<Context, 'normalise' | 'settings'>,
  source: Source,
): Promise<{ outcome: Ingested; read: NewEvent[] }> {
  const outcome: Ingested = { accepted: 0, rejected: 0, errors: [] }
  const read: NewEvent[] = []
  const nowMs = Date.now()
  const whyTooOld = createWhyTooOld(settings, nowMs)
  const reject = (line: number, reason: string) => {
    outcome.rejected += 1
    if (outcome.errors.length < mostErrors) outcome.errors.push({ line, reason })
  }
  const turn = takingTurns()
  for (const each of readLines(body)) {
    await turn()
    if ('reason' in each) reject(each.line, each.reason)
    else {
      const event = normalise(each.record, source, nowMs)
      const reason = whyTooOld(event)
      if (reason === null) read.push(event)
      else reject(each.line, reason)
    }
    if (read.length + outcome.rejected > mostEvents) {
      throw new RefusedBodyError(
        413,
        `The body has more than ${mostEvents} lines: send it in several requests`,
      )
    }
  }
  outcome.accepted = read.length
  return { outcome, read }
}

function answer(reply: FastifyReply, status: number, message: string, more: object = {}) {
  return reply.code(status).send({ error: STATUS_CODES[status], message, ...more })
}

export default fastifyPlugin(ndjson, {
  name: 'ingest-ndjson',
  fastify: '5.x',
  dependencies: ['headers', 'cross-site'],
})
