import type { FastifyReply, FastifyRequest } from 'fastify'
import { paths } from '../../../shared/paths.ts'
import { HttpError } from '../../http/http-error.ts'
import { readBody } from '../../http/read-body.ts'
import { runInSlices } from '../../time-slice.ts'
import { type Collected, type Invalid, maxEvents, tooMany } from '../collect-events.ts'
import { defineIngestEndpoint } from '../ingest-endpoint.ts'
import { requestKeyOf } from '../request-key.ts'
import type { Stream } from './push.ts'
import { readJsonPush } from './read-json.ts'
import { readProtobufPush } from './read-protobuf.ts'
import { type LabelFields, readLabelFields, recordOf } from './record.ts'
import { decompressSnappy } from './snappy.ts'

/** One line with its labels. `labelBytes` is the size of the stream's labels, without the line's metadata. */
type Item = { labels: LabelFields; labelBytes: number; entry: { timeUnixNano: string; line: string } }

/**
 * `POST /loki/api/v1/push`: Loki's push API. Accepts JSON or, with any other content type, Snappy-compressed protobuf. Like
 * Loki, it responds with 204 if all entries are stored. If some are rejected, the others are stored, but the status is 400,
 * so that clients do not retry: https://github.com/grafana/loki/blob/main/pkg/distributor/distributor.go.
 * Tenants (`X-Scope-OrgID`) are ignored.
 */
export default defineIngestEndpoint<Item>({
  name: 'ingest-loki',
  paths: [paths.lokiPush()],
  async decode(request, { normalise, nowMs, oldestMs, ...limits }) {
    const body = await readBody(request, limits, encodingOf(request))
    const unpacked = isJson(request) ? body : await runInSlices(decompressSnappy(body, limits))
    return {
      itemName: 'entries',
      sizeBytes: unpacked.length,
      items: itemsOf(isJson(request) ? readJsonPush(unpacked) : readProtobufPush(unpacked)),
      toEvents: ({ labels, entry }) => [
        normalise(recordOf(labels, entry, { nowMs, oldestMs }), 'loki', nowMs),
      ],
      repeatedBytes: ({ labelBytes }) => labelBytes,
      requestKey: () => requestKeyOf(paths.lokiPush(), body),
    }
  },
  success(collected, _request, reply) {
    if (collected.rejected > 0) throw new HttpError(400, rejectionMessage(collected))
    return reply.code(204).send()
  },
  failure: ({ message }, _request, reply) => sendText(reply, message),
})

function* itemsOf(streams: Iterable<Stream | null>): Generator<Item | Invalid | null> {
  let count = 0
  for (const stream of streams) {
    // Pause here too, because streams may be empty.
    yield null
    if (stream === null) continue
    const { labels, entries } = stream
    count += 1
    if (count > maxEvents) throw tooMany('streams')
    const streamFields = readLabelFields(labels)
    const labelBytes = JSON.stringify(labels).length
    for (const entry of entries) {
      if ('reason' in entry) yield entry
      else {
        const { metadata } = entry
        const fields = metadata === null ? streamFields : readLabelFields({ ...labels, ...metadata })
        yield { labels: fields, labelBytes, entry }
      }
    }
  }
}

/**
 * Ignores the encoding `snappy`, which some clients declare although Snappy is part of the format:
 * https://github.com/grafana/loki/issues/3407
 */
function encodingOf({ headers }: FastifyRequest): string | undefined {
  const encoding = headers['content-encoding']
  return encoding?.trim().toLowerCase() === 'snappy' ? 'identity' : encoding
}

function isJson({ headers }: FastifyRequest): boolean {
  return /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')
}

function rejectionMessage({ events, rejected, errors: [first] }: Collected): string {
  const others = events.length === 1 ? 'the other one was stored' : `the other ${events.length} were stored`
  const stored = events.length === 0 ? 'nothing was stored' : others
  return `${rejected} ${rejected === 1 ? 'entry was' : 'entries were'} rejected; ${stored}. First error: ${first?.reason}`
}

/** Sends plain text, as Loki does. */
export function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('text/plain; charset=utf-8').send(`${text}\n`)
}
