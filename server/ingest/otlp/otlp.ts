import type { FastifyReply } from 'fastify'
import type { Attributes } from '../../../shared/event.ts'
import { HttpError } from '../../http/http-error.ts'
import { readBody } from '../../http/read-body.ts'
import { defineIngestEndpoint } from '../ingest-endpoint.ts'
import { requestKeyOf } from '../request-key.ts'
import type { Scoped } from './model.ts'
import { type Encoding, encodeResponse, encodeStatus, encodingOf, encodings } from './response.ts'
import { logs, type Signal, traces } from './signals.ts'

/** `POST /v1/logs` and `POST /v1/traces`: OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
export const [otlpLogs, otlpTraces] = [otlpEndpoint(logs), otlpEndpoint(traces)]

function otlpEndpoint<Item>(signal: Signal<Item>) {
  return defineIngestEndpoint<Scoped<Item>>({
    name: signal.name,
    paths: [signal.path],
    async decode(request, { normalise, nowMs, oldestMs, ...limits }) {
      const encoding = encodingOf(request.headers['content-type'])
      if (encoding === null) {
        throw new HttpError(415, `The Content-Type must be one of ${encodings.join(', ')}`)
      }
      const body = await readBody(request, limits)
      const eventsOf = signal.createEvents(normalise, nowMs, oldestMs)
      const [sizeOfResource, sizeOfScope] = [createSizeCache(), createSizeCache()]
      let haveTimes = true
      return {
        itemName: 'records',
        sizeBytes: body.length,
        items: signal.read[encoding](body),
        toEvents(scoped) {
          haveTimes &&= signal.hasTime(scoped.item)
          return eventsOf(scoped)
        },
        repeatedBytes: ({ resource, scope, item }) =>
          signal.countEvents(item) * (sizeOfResource(resource) + sizeOfScope(scope.attributes)),
        ignoredIn: () => ({ kind: 'span', count: 1 }),
        requestKey: () => (haveTimes ? requestKeyOf(signal.path, body) : undefined),
      }
    },
    success({ events, rejected, errors, ignored }, request, reply) {
      const [first] = errors
      const message = first === undefined ? '' : `Record ${first.line}: ${first.reason}`
      if (first !== undefined && events.length + ignored.length === 0) throw new HttpError(400, message)
      const encoding = encodingOf(request.headers['content-type']) ?? 'application/json'
      return send(
        reply,
        encoding,
        encodeResponse(encoding, { count: rejected, message }, signal.rejectedName),
      )
    },
    failure({ message }, request, reply) {
      const encoding = encodingOf(request.headers['content-type']) ?? 'application/json'
      return send(reply, encoding, encodeStatus(encoding, message))
    },
  })
}

/**
 * Creates a function that returns the JSON size of attributes. Caches the latest size, because consecutive items share
 * attributes.
 */
function createSizeCache(): (attributes: Attributes) => number {
  let [previous, sizeBytes]: [Attributes | null, number] = [null, 0]
  return attributes => {
    if (attributes !== previous) [previous, sizeBytes] = [attributes, JSON.stringify(attributes).length]
    return sizeBytes
  }
}

/** The body is a buffer, because Fastify would add a charset to the content type of text. */
function send(reply: FastifyReply, encoding: Encoding, body: Buffer): FastifyReply {
  return reply.header('content-type', encoding).send(body)
}
