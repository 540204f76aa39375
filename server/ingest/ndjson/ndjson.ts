import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { paths } from '../../../shared/paths.ts'
import { HttpError } from '../../http/http-error.ts'
import { readBody } from '../../http/read-body.ts'
import { defineIngestEndpoint } from '../ingest-endpoint.ts'
import { requestKeyOf } from '../request-key.ts'
import { unwrapLine } from '../wrapped-line.ts'
import { type RecordLine, readLines } from './read-lines.ts'
import { withTextTime } from './text-time.ts'

const query = Type.Object({
  /** The `sixpane` command uses `stdin`. */
  source: Type.Optional(Type.Union([Type.Literal('ndjson'), Type.Literal('stdin')])),
})

/**
 * `POST /ingest`: JSON lines, such as pino's. Responds with the numbers of accepted and rejected lines and the reasons
 * for the first rejected lines. The status is 400 if all lines are rejected.
 */
export default defineIngestEndpoint<RecordLine>({
  name: 'ingest-ndjson',
  paths: [paths.ingest()],
  async decode(request, { normalise, nowMs, oldestMs, ...limits }) {
    if (!Value.Check(query, request.query)) {
      throw new HttpError(400, 'The query parameter `source` must be ndjson, stdin or absent')
    }
    const { source = 'ndjson' } = request.query
    const body = await readBody(request, limits)
    return {
      itemName: 'lines',
      sizeBytes: body.length,
      items: readLines(body),
      toEvents: ({ record }) => {
        const timed = source === 'stdin' ? withTextTime(record, nowMs, oldestMs) : record
        return [normalise(unwrapLine(timed, nowMs, oldestMs), source, nowMs)]
      },
      lineOf: ({ line }) => line,
      requestKey: () => requestKey(request, body),
    }
  },
  success({ events, rejected, errors }) {
    const result = { accepted: events.length, rejected, errors }
    const [first] = errors
    if (first === undefined || events.length > 0) return result
    throw new HttpError(400, `No line was stored. Line ${first.line}: ${first.reason}`, {}, result)
  },
})

/** Lines may lack a time, so identical bodies are not always retries. Only the header `Idempotency-Key` marks retries. */
function requestKey({ headers }: FastifyRequest, body: Buffer): Promise<string> | undefined {
  // https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
  const key = headers['idempotency-key']
  return typeof key === 'string' ? requestKeyOf(paths.ingest(), key, body) : undefined
}
