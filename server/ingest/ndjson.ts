import { STATUS_CODES } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { NewEvent } from '../../shared/event.ts'
import { paths } from '../../shared/paths.ts'
import type { Context } from '../context.ts'
import { QueueFullError } from '../events/events.ts'
import type { Normalise } from '../events/normalise.ts'
import { encodings, RefusedBodyError, readBody } from './read-body.ts'
import { readLines } from './read-lines.ts'

type Ingested = {
  accepted: number
  rejected: number
  /** The first lines that could not be read. */
  errors: { line: number; reason: string }[]
}

const mostErrors = 20
/** More would take more memory than the queue is allowed, however short they are. */
const mostLines = 100_000
/** Other requests wait no longer than this for their turn, and for one line. */
const turnMs = 5

/**
 * `POST /ingest`: pino's or plain JSON lines. What can be read is kept and acknowledged once it is durable; what
 * cannot is counted and named by its line, and stops nothing else.
 */
const ndjson: FastifyPluginAsync<{
  context: Pick<Context, 'config' | 'events' | 'normalise' | 'logger'>
}> = async (fastify, { context }) => {
  const { config, events, normalise } = context
  await fastify.register(async scope => {
    // The body is read here, whatever type it claims: clients that send lines label them in many ways.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

    scope.post(paths.ingest(), async (request, reply) => {
      const source = request.body instanceof Readable ? request.body : Readable.from([])
      try {
        const body = await readBody(source, request.headers['content-encoding'], config.ingestLimitBytes)
        const { outcome, read } = await readEvents(body, normalise)
        events.refuse(outcome.rejected)
        const refusal = await events.accept(read, body.length).then(() => null, refusalOf)
        if (refusal !== null) {
          reply.header('retry-after', refusal.retryAfterSeconds)
          return answer(reply, refusal.status, refusal.message)
        }
        if (read.length > 0 || outcome.rejected === 0) return outcome
        const [first] = outcome.errors
        return answer(reply, 400, `No line could be read. Line ${first?.line}: ${first?.reason}`, outcome)
      } catch (error) {
        if (!(error instanceof RefusedBodyError)) throw error
        // https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
        if (error.status === 415) reply.header('accept-encoding', encodings.join(', '))
        return answer(reply, error.status, error.message)
      }
    })
  })
}

async function readEvents(
  body: Buffer,
  normalise: Normalise,
): Promise<{ outcome: Ingested; read: NewEvent[] }> {
  const outcome: Ingested = { accepted: 0, rejected: 0, errors: [] }
  const read: NewEvent[] = []
  const nowMs = Date.now()
  let turnedMs = performance.now()
  for (const each of readLines(body)) {
    if (performance.now() - turnedMs > turnMs) {
      await turn()
      turnedMs = performance.now()
    }
    if ('record' in each) read.push(normalise(each.record, 'ndjson', nowMs))
    else {
      outcome.rejected += 1
      if (outcome.errors.length < mostErrors) outcome.errors.push(each)
    }
    if (read.length + outcome.rejected > mostLines) {
      throw new RefusedBodyError(
        413,
        `The body has more than ${mostLines} lines: send it in several requests`,
      )
    }
  }
  outcome.accepted = read.length
  return { outcome, read }
}

/** Why the queue kept nothing of a request. */
function refusalOf(error: unknown): { status: number; message: string; retryAfterSeconds: number } {
  if (error instanceof QueueFullError) {
    const message = 'The queue of events is full: nothing was kept, send it again'
    return { status: 429, message, retryAfterSeconds: error.retryAfterSeconds }
  }
  // Why is in the log already, once an outage; the sender only needs to know that nothing was kept.
  const message = 'The events could not be stored: nothing was kept, send it again'
  return { status: 503, message, retryAfterSeconds: 5 }
}

function answer(reply: FastifyReply, status: number, message: string, more: object = {}) {
  return reply.code(status).send({ error: STATUS_CODES[status], message, ...more })
}

export default fastifyPlugin(ndjson, {
  name: 'ingest-ndjson',
  fastify: '5.x',
  dependencies: ['headers', 'cross-site'],
})
