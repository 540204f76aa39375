import { HttpError } from '../../http/http-error.ts'
import { maxEvents } from '../collect-events.ts'
import { maxJsonDepth, parseJson } from '../parse-json.ts'
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
import {
  type DecodedItem,
  decodeItem,
  errorMessageOf,
  type LogRecord,
  type Scope,
  type Span,
  type SpanEvent,
} from './model.ts'
import { createBudget, type ValueBudget } from './values.ts'

/** Limit on resources and scopes in one request. */
const maxFrames = 2 * maxEvents

/** The names of the fields around the items, from the outside in. */
export type FrameNames = readonly [resources: string, scopes: string, items: string]

/**
 * Reads the items of a request one by one (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). An
 * invalid item does not affect the others.
 * @throws HttpError if the request around the items is invalid
 */
export function* readJson<Item>(
  body: Buffer,
  [resources, scopes, items]: FrameNames,
  readItem: (message: Message, budget: ValueBudget) => Item,
): Generator<DecodedItem<Item>> {
  const limited = createLimit()
  try {
    for (const inResource of limited(listOf(messageOf(parse(body), 'The body')[resources], resources))) {
      const ofResource = messageOf(inResource, resources)
      const resource = attributesOf(messageOf(ofResource.resource, 'resource'), createBudget())
      for (const inScope of limited(listOf(ofResource[scopes], scopes))) {
        const ofScope = messageOf(inScope, scopes)
        const scope = readScope(messageOf(ofScope.scope, 'scope'))
        for (const each of listOf(ofScope[items], items)) {
          yield decodeItem(() => ({
            resource,
            scope,
            item: readItem(messageOf(each, items), createBudget()),
          }))
        }
      }
    }
  } catch (error) {
    if (error instanceof HttpError) throw error
    throw new HttpError(400, `The body is not a valid request in JSON: ${errorMessageOf(error)}`)
  }
}

/** Limits resources and scopes, because even empty ones take time. */
function createLimit() {
  let left = maxFrames
  return function* limited(list: readonly unknown[]): Generator<unknown> {
    for (const each of list) {
      left -= 1
      if (left < 0) throw new HttpError(413, 'There are too many resources and scopes in one request')
      yield each
    }
  }
}

function parse(body: Buffer): unknown {
  const value = parseJson(body)
  if (value !== undefined && value !== null) return value
  throw new Error(`it is not JSON, or nested deeper than ${maxJsonDepth} levels`)
}

function readScope(scope: Message): Scope {
  const [name, version] = [textOf(scope, 'name'), textOf(scope, 'version')]
  return { name, version, attributes: attributesOf(scope, createBudget()) }
}

/** Reads a log record in JSON. @throws Error if a field has the wrong type */
export function readJsonLog(log: Message, budget: ValueBudget): LogRecord {
  return {
    timeUnixNano: nanosOf(log, 'timeUnixNano'),
    observedTimeUnixNano: nanosOf(log, 'observedTimeUnixNano'),
    severityNumber: numberOf(log, 'severityNumber'),
    severityText: textOf(log, 'severityText'),
    body: readAnyValue(log.body, budget),
    attributes: attributesOf(log, budget),
    droppedAttributesCount: numberOf(log, 'droppedAttributesCount'),
    flags: numberOf(log, 'flags'),
    traceId: textOf(log, 'traceId'),
    spanId: textOf(log, 'spanId'),
    eventName: textOf(log, 'eventName'),
  }
}

/** Reads a span in JSON. @throws Error if a field has the wrong type */
export function readJsonSpan(span: Message, budget: ValueBudget): Span {
  const status = messageOf(span.status, 'status')
  return {
    traceId: textOf(span, 'traceId'),
    spanId: textOf(span, 'spanId'),
    parentSpanId: textOf(span, 'parentSpanId'),
    name: textOf(span, 'name'),
    kind: numberOf(span, 'kind'),
    startTimeUnixNano: nanosOf(span, 'startTimeUnixNano'),
    endTimeUnixNano: nanosOf(span, 'endTimeUnixNano'),
    attributes: attributesOf(span, budget),
    droppedAttributesCount: numberOf(span, 'droppedAttributesCount'),
    events: listOf(span.events, 'events')
      .slice(0, budget.values)
      .map(each => readSpanEvent(messageOf(each, 'events'), budget)),
    status: { code: numberOf(status, 'code'), message: textOf(status, 'message') },
  }
}

function readSpanEvent(event: Message, budget: ValueBudget): SpanEvent {
  return {
    timeUnixNano: nanosOf(event, 'timeUnixNano'),
    name: textOf(event, 'name'),
    attributes: attributesOf(event, budget),
  }
}
