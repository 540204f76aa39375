import { isObject } from '../../../shared/read-value.ts'
import { HttpError } from '../../http/http-error.ts'
import { maxEvents, tooMany } from '../collect-events.ts'
import { JsonCursor, type JsonSpan, JsonSyntaxError, startOfJson } from '../json-cursor.ts'
import { invalidJson, maxRecordBytes, parseJson } from '../parse-json.ts'
import { type Labels, readLabels } from './labels.ts'
import type { Entry, Stream } from './push.ts'

/**
 * Reads a JSON push: `{"streams":[{"stream":{…labels},"values":[["<nanoseconds>","<line>",{…metadata}]]}]}`
 * (https://grafana.com/docs/loki/latest/reference/loki-http-api/#ingest-logs). Invalid streams and entries do not
 * affect the others. Yields `null` where the caller can pause.
 * @throws HttpError if the whole body is invalid
 */
export function* readJsonPush(body: Buffer): Generator<Stream | null> {
  const cursor = new JsonCursor(body, startOfJson(body))
  let hasStreams = false
  let index = 0
  try {
    for (const field of cursor.fields()) {
      if (field === null) yield null
      else if (field.name === 'streams' && (yield* cursor.peek()) === openArray) {
        hasStreams = true
        for (const element of cursor.elements()) {
          if (element === null) yield null
          else {
            index += 1
            yield readStream(body, yield* findStream(cursor), `stream ${index}`)
          }
        }
      }
    }
    if ((yield* cursor.peek()) !== -1) throw new JsonSyntaxError()
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw new HttpError(400, 'The body is incomplete, or not JSON')
  }
  if (!hasStreams) throw new HttpError(400, 'The body has no list of streams')
}

const [openArray, openObject] = ['['.charCodeAt(0), '{'.charCodeAt(0)]

/** The positions of a stream's labels and entries. */
type StreamSpans = { labels: JsonSpan | null; values: JsonSpan[] | null }

/** Does not parse the entries yet, because the labels may follow them. */
function* findStream(cursor: JsonCursor): Generator<null, StreamSpans> {
  const spans: StreamSpans = { labels: null, values: null }
  if ((yield* cursor.peek()) !== openObject) return spans
  for (const field of cursor.fields()) {
    if (field === null) yield null
    else if (field.name === 'stream') spans.labels = yield* cursor.value()
    else if (field.name === 'values') {
      spans.values = (yield* cursor.peek()) === openArray ? yield* findValues(cursor) : null
    }
  }
  return spans
}

function* findValues(cursor: JsonCursor): Generator<null, JsonSpan[]> {
  const values: JsonSpan[] = []
  for (const element of cursor.elements()) {
    if (element === null) yield null
    else if (values.push(yield* cursor.value()) > maxEvents) throw tooMany('entries')
  }
  return values
}

function readStream(body: Buffer, { labels, values }: StreamSpans, name: string): Stream {
  if (values === null) return { labels: {}, entries: [{ reason: `${name} has no list of values` }] }
  const parsed = labels === null ? undefined : parseSpan(body, labels)
  if (labels !== null && parsed === undefined) {
    return { labels: {}, entries: [{ reason: `the labels of ${name} are ${problemOf(labels)}` }] }
  }
  return { labels: labelsOf(parsed), entries: entriesOf(body, values, name) }
}

function parseSpan(body: Buffer, span: JsonSpan): unknown {
  return isTooLong(span) ? undefined : parseJson(body, span)
}

function problemOf(span: JsonSpan): string {
  return isTooLong(span) ? `longer than ${maxRecordBytes} bytes` : invalidJson()
}

function isTooLong({ start, end }: JsonSpan): boolean {
  return end - start > maxRecordBytes
}

function* entriesOf(body: Buffer, values: readonly JsonSpan[], stream: string): Generator<Entry> {
  for (const [index, span] of values.entries()) {
    const value = parseSpan(body, span)
    if (value === undefined) {
      yield { reason: `entry ${index + 1} of ${stream} is ${problemOf(span)}` }
      continue
    }
    const [time, line, metadata]: unknown[] = Array.isArray(value) ? value : []
    if ((typeof time !== 'string' && typeof time !== 'number') || line === undefined) {
      yield { reason: `entry ${index + 1} of ${stream} is not a [time, line] pair` }
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
