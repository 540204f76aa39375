import { type Attributes, type Json, type NewEvent, severityOfOtelNumber } from '../../../shared/event.ts'
import type { Normalise } from '../../events/normalise.ts'
import { isObject } from '../../events/take.ts'
import { FlatRecord, idOf } from './flat-record.ts'
import type { LogRecord, Scoped } from './model.ts'

const longestBody = 2000

/**
 * Makes an event of a log record (https://opentelemetry.io/docs/specs/otel/logs/data-model/). A body of fields is
 * read as a line of JSON would be; without a message in it, the name of the event or the fields themselves are it.
 */
export function eventOfLog(
  { resource, scope, item: log }: Scoped<LogRecord>,
  normalise: Normalise,
  nowMs: number,
): NewEvent {
  const record = new FlatRecord()
  record.say('time', log.timeUnixNano)
  sayLevel(record, log)
  record.say('traceId', idOf(log.traceId))
  record.say('spanId', idOf(log.spanId))
  record.say('traceFlags', log.flags)
  record.say('event.name', log.eventName)
  record.say('observedTimeUnixNano', log.observedTimeUnixNano)
  record.say('otel.dropped_attributes_count', log.droppedAttributesCount)
  const body = isObject(log.body) ? log.body : null
  if (Array.isArray(log.body)) record.say('body', log.body)
  else if (body === null && log.body !== null) record.say('msg', String(log.body))
  record.add('resource', resource)
  record.add('attributes', log.attributes)
  if (body !== null) record.add('body', body)
  record.addScope(scope)

  const event = normalise(record.fields, 'otlp', nowMs)
  // When it was seen says no more where it is known when it happened.
  if (event.timeMs !== nowMs) delete event.attributes.observedTimeUnixNano
  if (event.body === '') event.body = bodyOf(event.attributes, body)
  return event
}

/** The number is the level in OpenTelemetry's terms, the text the level as the writer calls it. */
function sayLevel(record: FlatRecord, { severityNumber, severityText }: LogRecord): void {
  const severity = severityOfOtelNumber(severityNumber)
  if (severity === null) {
    record.say('level', severityText)
    record.say('severityNumber', severityNumber)
    return
  }
  record.say('level', severity)
  if ((severityNumber - 1) % 4 !== 0) record.say('severityNumber', severityNumber)
  if (severityText.toLowerCase() !== severity) record.say('severityText', severityText)
}

/** Out of the event's own attributes, which hold no secrets any more. */
function bodyOf(attributes: Attributes, fields: Attributes | null): string {
  const name = attributes['event.name']
  if (typeof name === 'string') return name
  const body = fields === null ? attributes.body : kept(attributes, Object.keys(fields))
  if (body === undefined || body === null) return ''
  const text = JSON.stringify(body)
  return text.length > longestBody ? `${text.slice(0, longestBody)}…` : text
}

function kept(attributes: Attributes, names: readonly string[]): Json {
  const entries = names.flatMap((name): [string, Json][] => {
    const key = Object.hasOwn(attributes, `body.${name}`) ? `body.${name}` : name
    return Object.hasOwn(attributes, key) ? [[name, attributes[key] ?? null]] : []
  })
  return entries.length === 0 ? null : Object.fromEntries(entries)
}
