import { nestsDeeperThan } from '../ndjson/nesting.ts'
import { RefusedBodyError } from '../read-body.ts'
import { type Labels, readLabels } from './labels.ts'
import type { Entry, Stream } from './push.ts'

const deepest = 1000

/**
 * Reads a push in JSON: `{"streams":[{"stream":{…labels},"values":[["<nanoseconds>","<line>",{…metadata}]]}]}`
 * (https://grafana.com/docs/loki/latest/reference/loki-http-api/#ingest-logs). A stream or an entry that is none is
 * named and stops no other.
 * @throws RefusedBodyError when the whole is no push
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
  const push = parse(body)
  const streams = isObject(push) ? push.streams : undefined
  if (!Array.isArray(streams)) throw new RefusedBodyError(400, 'The body is JSON without a list of streams')
  return streams
}

function parse(body: Buffer): unknown {
  try {
    const text = body.toString('utf8').replace(/^\ufeff/, '')
    if (!nestsDeeperThan(text, deepest)) return JSON.parse(text)
  } catch {
    // No JSON, or longer than a string can be.
  }
  throw new RefusedBodyError(400, `The body is no JSON, not whole, or nested deeper than ${deepest} levels`)
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
