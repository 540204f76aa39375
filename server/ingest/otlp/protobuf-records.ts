import type { ProtoReader } from '../proto-reader.ts'
import {
  emptyLogRecord,
  emptySpan,
  type LogRecord,
  type Span,
  type SpanEvent,
  type SpanStatus,
} from './model.ts'
import { readAnyValue, readKeyValue } from './protobuf-values.ts'
import { spendValue, type ValueBudget } from './values.ts'

/** Reads a LogRecord: https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/logs/v1/logs.proto */
export function readProtobufLog(input: ProtoReader, end: number, budget: ValueBudget): LogRecord {
  const log = emptyLogRecord()
  for (let field = input.next(end); field !== 0; field = input.next(end)) {
    if (field === 1) log.timeUnixNano = input.fixed64()
    else if (field === 2) log.severityNumber = input.int32()
    else if (field === 3) log.severityText = input.string()
    else if (field === 5) log.body = readAnyValue(input, budget)
    else if (field === 6) readKeyValue(input, log.attributes, budget)
    else if (field === 7) log.droppedAttributesCount = input.uint32()
    else if (field === 8) log.flags = input.fixed32()
    else if (field === 9) log.traceId = input.bytes('hex')
    else if (field === 10) log.spanId = input.bytes('hex')
    else if (field === 11) log.observedTimeUnixNano = input.fixed64()
    else if (field === 12) log.eventName = input.string()
    else input.skip()
  }
  return log
}

/** Reads a Span: https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto */
export function readProtobufSpan(input: ProtoReader, end: number, budget: ValueBudget): Span {
  const span = emptySpan()
  for (let field = input.next(end); field !== 0; field = input.next(end)) {
    if (field === 1) span.traceId = input.bytes('hex')
    else if (field === 2) span.spanId = input.bytes('hex')
    else if (field === 4) span.parentSpanId = input.bytes('hex')
    else if (field === 5) span.name = input.string()
    else if (field === 6) span.kind = input.int32()
    else if (field === 7) span.startTimeUnixNano = input.fixed64()
    else if (field === 8) span.endTimeUnixNano = input.fixed64()
    else if (field === 9) readKeyValue(input, span.attributes, budget)
    else if (field === 10) span.droppedAttributesCount = input.uint32()
    else if (field === 11 && spendValue(budget))
      span.events.push(readSpanEvent(input, input.message(), budget))
    else if (field === 15) readStatus(input, input.message(), span.status)
    else input.skip()
  }
  return span
}

function readSpanEvent(input: ProtoReader, end: number, budget: ValueBudget): SpanEvent {
  const event: SpanEvent = { timeUnixNano: 0, name: '', attributes: {} }
  for (let field = input.next(end); field !== 0; field = input.next(end)) {
    if (field === 1) event.timeUnixNano = input.fixed64()
    else if (field === 2) event.name = input.string()
    else if (field === 3) readKeyValue(input, event.attributes, budget)
    else input.skip()
  }
  return event
}

function readStatus(input: ProtoReader, end: number, status: SpanStatus): void {
  for (let field = input.next(end); field !== 0; field = input.next(end)) {
    if (field === 2) status.message = input.string()
    else if (field === 3) status.code = input.int32()
    else input.skip()
  }
}
