import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { NewEvent } from '../../../shared/event.ts'
import type { Context } from '../../context.ts'
import { bodyOf, keep, mostEvents, requestKeyOf, takeAnyBody, takingTurns } from '../ingest-request.ts'
import { encodings as contentEncodings, RefusedBodyError } from '../read-body.ts'
import { createWhyTooOld } from '../retention-check.ts'
import {
  type Encoding,
  encodeResponse,
  encodeStatus,
  encodingOf,
  encodings,
  type Rejected,
} from './answer.ts'
import { createUnfolding } from './expansion-limit.ts'
import type { ReadItem } from './model.ts'
import { logs, type Signal, traces } from './signals.ts'

type Needs = Pick<Context, 'config' | 'settings' | 'events' | 'normalise'>

/**
 * OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp): logs, and of traces what the screens need. What
 * can be read is kept and acknowledged once it is durable; what cannot is counted in the answer, and stops nothing
 * else. A request that an exporter repeats, because it heard no answer, is kept once.
 */
const otlp: FastifyPluginAsync<{ context: Needs }> = async (fastify, { context }) => {
  await fastify.register(async scope => {
    takeAnyBody(scope)
    scope.post(logs.path, (request, reply) => take(logs, request, reply, context))
    scope.post(traces.path, (request, reply) => take(traces, request, reply, context))
  })
}

async function take<Item>(
  signal: Signal<Item>,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Needs,
): Promise<FastifyReply> {
  const { config, events } = context
  const encoding = encodingOf(request.headers['content-type'])
  const refuse = (status: number, message: string) => {
    const inJson = encoding ?? 'application/json'
    return send(reply.code(status), inJson, encodeStatus(inJson, message))
  }
  if (encoding === null) return refuse(415, `The Content-Type must be one of ${encodings.join(', ')}`)
  try {
    const body = await bodyOf(request, config.ingestLimitBytes)
    const unfolding = createUnfolding(body.length, config.ingestLimitBytes)
    const items = signal.read[encoding](body)
    const { read, rejected, passedOver, isTimed } = await readEvents(signal, items, unfolding, context)
    events.refuse(rejected.count)
    const requestKey = isTimed ? requestKeyOf(signal.path, body) : undefined
    const refusal = await keep(events, read, unfolding.sizeBytes(), requestKey)
    if (refusal !== null) {
      reply.header('retry-after', refusal.retryAfterSeconds)
      return refuse(refusal.status, refusal.message)
    }
    events.passOver(passedOver)
    if (rejected.count > 0 && read.length + passedOver === 0) return refuse(400, rejected.message)
    return send(reply, encoding, encodeResponse(encoding, rejected, signal.rejectedName))
  } catch (error) {
    if (!(error instanceof RefusedBodyError)) throw error
    // https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
    if (error.status === 415) reply.header('accept-encoding', contentEncodings.join(', '))
    return refuse(error.status, error.message)
  }
}

type ReadEvents = {
  read: NewEvent[]
  rejected: Rejected
  /** Items of which no event is made. */
  passedOver: number
  /** Whether each item says when it was. */
  isTimed: boolean
}

async function readEvents<Item>(
  { createEvents, countEvents, isTimed }: Signal<Item>,
  items: Iterable<ReadItem<Item>>,
  unfolding: ReturnType<typeof createUnfolding>,
  { normalise, settings }: Needs,
): Promise<ReadEvents> {
  const outcome: ReadEvents = { read: [], rejected: { count: 0, message: '' }, passedOver: 0, isTimed: true }
  const { read, rejected } = outcome
  const nowMs = Date.now()
  const eventsOf = createEvents(normalise, nowMs)
  const whyTooOld = createWhyTooOld(settings, nowMs)
  const reject = (message: string) => {
    rejected.count += 1
    if (rejected.count === 1) rejected.message = message
  }
  const turn = takingTurns()
  let count = 0
  for (const each of items) {
    await turn()
    count += 1
    if ('reason' in each) reject(`Record ${count} can't be read: ${each.reason}`)
    else {
      const before = read.length
      let whyNot: string | null = null
      unfolding.add(each, countEvents(each.item))
      for (const event of eventsOf(each)) {
        await turn()
        const reason = whyTooOld(event)
        if (reason === null) read.push(event)
        else whyNot = reason
      }
      if (whyNot !== null) reject(`Record ${count} is not kept: ${whyNot}`)
      else if (read.length === before) outcome.passedOver += 1
      if (!isTimed(each.item)) outcome.isTimed = false
    }
    if (count > mostEvents || read.length > mostEvents) {
      throw new RefusedBodyError(
        413,
        `The body has more than ${mostEvents} records: send it in several requests`,
      )
    }
  }
  return outcome
}

/** A buffer goes out as it is: Fastify adds nothing to its type, which is the request's. */
function send(reply: FastifyReply, encoding: Encoding, body: Buffer): FastifyReply {
  return reply.header('content-type', encoding).send(body)
}

export default fastifyPlugin(otlp, {
  name: 'ingest-otlp',
  fastify: '5.x',
  dependencies: ['headers', 'cross-site'],
})
