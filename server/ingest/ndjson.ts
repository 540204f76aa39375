import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { NewEvent } from '../../shared/event.ts'
import { paths } from '../../shared/paths.ts'
import type { Context } from '../context.ts'
import { QueueFullError } from '../events/events.ts'
import { RefusedBodyError, readBody } from './read-body.ts'
import { readLines } from './read-lines.ts'

type Ingested = {
  accepted: number
  rejected: number
  /** The first lines that could not be read. */
  errors: { line: number; reason: string }[]
}

const mostErrors = 20
/** Lines read in one turn: other requests wait no longer than a few milliseconds for theirs. */
const linesATurn = 500

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

    scope.post(paths.ingest(), { bodyLimit: config.ingestLimitBytes }, async (request, reply) => {
      const source = request.body instanceof Readable ? request.body : Readable.from([])
      const body = await readBody(source, request.headers['content-encoding'], config.ingestLimitBytes).catch(
        refusal,
      )
      if (body instanceof RefusedBodyError) {
        // The rest of the body is not waited for.
        return reply.code(body.status).header('connection', 'close').send(problem(body))
      }

      const outcome: Ingested = { accepted: 0, rejected: 0, errors: [] }
      const read: NewEvent[] = []
      let count = 0
      const nowMs = Date.now()
      for (const each of readLines(body)) {
        count += 1
        if (count % linesATurn === 0) await turn()
        if ('record' in each) read.push(normalise(each.record, 'ndjson', nowMs))
        else {
          outcome.rejected += 1
          if (outcome.errors.length < mostErrors) outcome.errors.push(each)
        }
      }
      events.refuse(outcome.rejected)
      try {
        await events.accept(read, body.length)
      } catch (error) {
        return unavailable(error, reply)
      }
      outcome.accepted = read.length
      return reply.code(outcome.accepted === 0 && outcome.rejected > 0 ? 400 : 200).send(outcome)
    })
  })
}

function refusal(error: unknown): RefusedBodyError {
  if (error instanceof RefusedBodyError) return error
  throw error
}

function problem({ name, message }: Error) {
  return { error: name, message }
}

function unavailable(error: unknown, reply: FastifyReply) {
  if (error instanceof QueueFullError) {
    return reply
      .code(429)
      .header('retry-after', error.retryAfterSeconds)
      .send({
        error: 'Too Many Requests',
        message: 'The queue of events is full: nothing was kept, send it again',
      })
  }
  // Why is in the log already, once an outage; the sender only needs to know that nothing was kept.
  return reply
    .code(503)
    .header('retry-after', 5)
    .send({
      error: 'Service Unavailable',
      message: 'The events could not be stored: nothing was kept, send it again',
    })
}

export default fastifyPlugin(ndjson, {
  name: 'ingest-ndjson',
  fastify: '5.x',
  dependencies: ['headers', 'cross-site'],
})
