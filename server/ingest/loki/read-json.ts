import { HttpError } from '../../http/http-error.ts'
import { maxJsonDepth, parseJson } from '../parse-json.ts'
import { type Labels, readLabels } from './labels.ts'
import type { Entry, Stream } from './push.ts'

/**
 * Reads a push in JSON: `{"streams":[{"stream":{…labels},"values":[["<nanoseconds>","<line>",{…metadata}]]}]}`
 * (https://grafana.com/docs/loki/latest/reference/loki-http-api/#ingest-logs). Invalid
 * streams and entries do not affect the others.
 * @throws HttpError if the whole body is invalid
 */
export function* readJsonPush(body: Buffer): Generator<Stream> {
  const streams = streamsOf(body)
  for (const [index, stream] of streams.entries()) {
    const name = `stream ${index + 1}`
    const values = isObject(stream) ? stream.values : undefined
    if (!isObject(stream) || !Array.isArray(values)) {
      yield { labels: {}, entries: [{ reason: `${name} has no list of values` }] }
      continue
    }
    yield { labels: labelsOf(stream.stream), entries: entriesOf(values, name) }
  }
}

function streamsOf(body: Buffer): readonly unknown[] {
  const push = parseJson(body)
  if (push === undefined) {
    throw new HttpError(400, `The body is incomplete, not JSON, or nested deeper than ${maxJsonDepth} levels`)
  }
  const streams = isObject(push) ? push.streams : undefined
  if (!Array.isArray(streams)) throw new HttpError(400, 'The body is JSON without a list of streams')
  return streams
}

function* entriesOf(values: readonly unknown[], stream: string): Generator<Entry> {
  for (const [index, value] of values.entries()) {
    const [time, line, metadata]: unknown[] = Array.isArray(value) ? value : []
    if ((typeof time !== 'string' && typeof time !== 'number') || line === undefined) {
      yield { reason: `entry ${index + 1} of ${stream} is not a time and a line` }
      continue
    }
    yield {
      timeUnixNano: String(time),
      line: typeof line === 'string' ? line : JSON.stringify(line),
      metadata: isObject(metadata) ? metadata : null,
    }
  }
}

function labelsOf(stream: unknown): Labels {
  if (typeof stream === 'string') return readLabels(stream)
  return isObject(stream) ? stream : {}
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
