import { HttpError } from '../../http/http-error.ts'
import type { JsonSpan } from '../json-cursor.ts'
import { invalidJson, maxRecordBytes, parseJson } from '../parse-json.ts'
import { findItems, type ListNames } from './find-items.ts'
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

/**
 * Reads the items of a request one at a time (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). An
 * invalid item does not affect the others. Yields `null` where the caller can pause.
 * @throws HttpError if a part of the request outside the items is invalid
 */
export function* readJson<Item>(
  body: Buffer,
  names: ListNames,
  readItem: (message: Message, budget: ValueBudget) => Item,
): Generator<DecodedItem<Item> | null> {
  const parse = (span: JsonSpan | null, name: string) => messageOf(parseSpan(body, span, name), name)
  try {
    for (const found of findItems(body, names)) {
      if (found === null) {
        yield null
        continue
      }
      const resource = attributesOf(parse(found.resource, 'resource'), createBudget())
      for (const { scope: scopeSpan, items } of found.scopes) {
        const scope = readScope(parse(scopeSpan, 'scope'))
        for (const span of items) {
          yield decodeItem(() => ({
            resource,
            scope,
            item: readItem(parse(span, names[2]), createBudget()),
          }))
        }
      }
    }
  } catch (error) {
    if (error instanceof HttpError) throw error
    throw new HttpError(400, `The body is not a valid request encoded as JSON: ${errorMessageOf(error)}`)
  }
}

/** Parses the value at a position. A missing value is `null`. @throws Error if the value is not JSON or too large */
function parseSpan(body: Buffer, span: JsonSpan | null, name: string): unknown {
  if (span === null) return null
  const bytes = body.subarray(span.start, span.end)
  if (bytes.length > maxRecordBytes) throw new Error(`${name} is longer than ${maxRecordBytes} bytes`)
  const value = parseJson(bytes)
  if (value === undefined) throw new Error(`${name} is ${invalidJson()}`)
  return value
}

function readScope(scope: Message): Scope {
  const [name, version] = [textOf(scope, 'name'), textOf(scope, 'version')]
  return { name, version, attributes: attributesOf(scope, createBudget()) }
}

/** Reads a JSON log record. @throws Error if a field has the wrong type */
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

/** Reads a JSON span. @throws Error if a field has the wrong type */
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
