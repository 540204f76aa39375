import { mostEvents } from '../ingest-request.ts'
import { nestsDeeperThan } from '../ndjson/nesting.ts'
import { RefusedBodyError } from '../read-body.ts'
import {
  attributesOf,
  listOf,
  type Message,
  messageOf,
  nanosOf,
  numberOf,
  readAnyValue,
  textOf,
} from './json-values.ts'
import type { LogRecord, ReadItem, Scope, Span, SpanEvent } from './model.ts'
import { orReason, wordsOf } from './unreadable.ts'
import { createRoom, type Room } from './values.ts'

/** Brackets in brackets: an AnyValue in an AnyValue takes three. */
const deepestJson = 1000
/** Resources and scopes of one request. */
const mostFrames = 2 * mostEvents

/** The names of the fields around the items, from the outside in. */
export type FrameNames = readonly [resources: string, scopes: string, items: string]

/**
 * Reads the items of a request one by one (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). An
 * item that can't be read is told and stops no other.
 * @throws RefusedBodyError where what lies around the items is no such request
 */
export function* readJson<Item>(
  body: Buffer,
  [resources, scopes, items]: FrameNames,
  readItem: (message: Message, room: Room) => Item,
): Generator<ReadItem<Item>> {
  const bounded = createBound()
  try {
    for (const inResource of bounded(listOf(messageOf(parse(body), 'The body')[resources], resources))) {
      const ofResource = messageOf(inResource, resources)
      const resource = attributesOf(messageOf(ofResource.resource, 'resource'), createRoom())
      for (const inScope of bounded(listOf(ofResource[scopes], scopes))) {
        const ofScope = messageOf(inScope, scopes)
        const scope = readScope(messageOf(ofScope.scope, 'scope'))
        for (const each of listOf(ofScope[items], items)) {
          yield orReason(() => ({ resource, scope, item: readItem(messageOf(each, items), createRoom()) }))
        }
      }
    }
  } catch (error) {
    if (error instanceof RefusedBodyError) throw error
    throw new RefusedBodyError(400, `The body is no such request in JSON: ${wordsOf(error)}`)
  }
}

/** Empty resources and scopes take time too. */
function createBound() {
  let left = mostFrames
  return function* bounded(list: readonly unknown[]): Generator<unknown> {
    for (const each of list) {
      left -= 1
      if (left < 0) throw new RefusedBodyError(413, 'There are too many resources and scopes in one request')
      yield each
    }
  }
}

function parse(body: Buffer): unknown {
  const text = body.toString('utf8').replace(/^\ufeff/, '')
  if (nestsDeeperThan(text, deepestJson)) throw new Error(`it nests deeper than ${deepestJson} levels`)
  try {
    const value: unknown = JSON.parse(text)
    if (value !== null) return value
  } catch {
    // What JSON.parse says quotes the text.
  }
  throw new Error('it can not be parsed')
}

function readScope(scope: Message): Scope {
  const [name, version] = [textOf(scope, 'name'), textOf(scope, 'version')]
  return { name, version, attributes: attributesOf(scope, createRoom()) }
}

export function readJsonLog(log: Message, room: Room): LogRecord {
  return {
    timeUnixNano: nanosOf(log, 'timeUnixNano'),
    observedTimeUnixNano: nanosOf(log, 'observedTimeUnixNano'),
    severityNumber: numberOf(log, 'severityNumber'),
    severityText: textOf(log, 'severityText'),
    body: readAnyValue(log.body, room),
    attributes: attributesOf(log, room),
    droppedAttributesCount: numberOf(log, 'droppedAttributesCount'),
    flags: numberOf(log, 'flags'),
    traceId: textOf(log, 'traceId'),
    spanId: textOf(log, 'spanId'),
    eventName: textOf(log, 'eventName'),
  }
}

export function readJsonSpan(span: Message, room: Room): Span {
  const status = messageOf(span.status, 'status')
  return {
    traceId: textOf(span, 'traceId'),
    spanId: textOf(span, 'spanId'),
    parentSpanId: textOf(span, 'parentSpanId'),
    name: textOf(span, 'name'),
    kind: numberOf(span, 'kind'),
    startTimeUnixNano: nanosOf(span, 'startTimeUnixNano'),
    endTimeUnixNano: nanosOf(span, 'endTimeUnixNano'),
    attributes: attributesOf(span, room),
    droppedAttributesCount: numberOf(span, 'droppedAttributesCount'),
    events: listOf(span.events, 'events')
      .slice(0, room.values)
      .map(each => readSpanEvent(messageOf(each, 'events'), room)),
    status: { code: numberOf(status, 'code'), message: textOf(status, 'message') },
  }
}

function readSpanEvent(event: Message, room: Room): SpanEvent {
  return {
    timeUnixNano: nanosOf(event, 'timeUnixNano'),
    name: textOf(event, 'name'),
    attributes: attributesOf(event, room),
  }
}
