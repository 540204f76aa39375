import type { Attributes, Json, NewEvent } from '../../../shared/event.ts'
import { latestTimeMs } from '../../../shared/plausible-time.ts'
import { isObject, readName } from '../../../shared/read-value.ts'
import { severityOfOtelNumber } from '../../../shared/severity.ts'
import { type Normalise, recordHas } from '../../events/normalise.ts'
import { levelOfLine } from '../level-of-line.ts'
import { type ParsedLine, parseLine } from '../parse-line.ts'
import { unwrapLine } from '../wrapped-line.ts'
import { zonedTimeOf } from '../zoned-time.ts'
import { FlatRecord, idOf } from './flat-record.ts'
import type { LogRecord, Scoped } from './model.ts'

const maxBodyLength = 2000

/**
 * Attributes with the name of a workload or container, in the order of precedence from
 * https://opentelemetry.io/docs/specs/semconv/non-normative/k8s-attributes/. Replica sets and pods are omitted, because
 * their names differ between releases or replicas.
 */
const workloadNames = [
  'k8s.deployment.name',
  'k8s.statefulset.name',
  'k8s.daemonset.name',
  'k8s.cronjob.name',
  'k8s.job.name',
  'k8s.container.name',
  'container.name',
]

/**
 * Converts a log record to an event (https://opentelemetry.io/docs/specs/otel/logs/data-model/). A structured body is read
 * like a JSON line. If the record has no severity, a text body is read like a line in a log file, because OpenTelemetry's
 * collector sends such lines unchanged. If the record has no message, the event name or the body's JSON becomes the message.
 */
export function eventOfLog(
  { resource, scope, item: log }: Scoped<LogRecord>,
  normalise: Normalise,
  nowMs: number,
  oldestMs: number,
): NewEvent {
  const record = new FlatRecord()
  record.set('time', log.timeUnixNano)
  setLevel(record, log)
  record.set('traceId', idOf(log.traceId))
  record.set('spanId', idOf(log.spanId))
  record.set('traceFlags', log.flags)
  record.set('event.name', log.eventName)
  record.set('observedTimeUnixNano', log.observedTimeUnixNano)
  record.set('otel.dropped_attributes_count', log.droppedAttributesCount)
  // The time of the record takes precedence over a time at the start of the text.
  const oldestInTextMs = log.timeUnixNano === 0 ? oldestMs : Number.POSITIVE_INFINITY
  const line = isRawLine(log) ? parseLine(String(log.body), nowMs) : null
  const hasService = () => recordHas.service(resource) || recordHas.service(log.attributes)
  const body = fieldsOf(log, line, hasService, nowMs, oldestInTextMs)
  if (line !== null) {
    record.set('level', levelOfLine(line))
    const timeMs = log.timeUnixNano === 0 ? zonedTimeOf(line, nowMs, oldestMs) : null
    if (timeMs !== null && !recordHas.time(log.attributes, nowMs)) record.set('time', timeMs)
  }
  if (Array.isArray(log.body)) record.set('body', log.body)
  else if (line !== null && line.text !== null) record.add('body', line.fields)
  else if (body === null && log.body !== null) record.set('msg', String(log.body))
  record.add('resource', resource)
  record.add('attributes', log.attributes)
  if (body !== null) record.add('body', body)
  record.addScope(scope)

  const event = normalise(record.fields, 'otlp', nowMs)
  // The observed time is redundant if the time is known, not replaced.
  if (event.timeMs !== nowMs && event.timeMs !== latestTimeMs(nowMs))
    delete event.attributes.observedTimeUnixNano
  if (event.service === 'unknown') event.service = workloadOf(event.attributes) ?? 'unknown'
  if (event.body === '') event.body = bodyOf(event.attributes, body)
  return event
}

function isRawLine(log: LogRecord): boolean {
  return typeof log.body === 'string' && log.body !== '' && !hasLevel(log)
}

function hasLevel({ severityNumber, severityText, attributes }: LogRecord): boolean {
  return severityNumber !== 0 || severityText !== '' || recordHas.severity(attributes)
}

function fieldsOf(
  log: LogRecord,
  line: ParsedLine | null,
  hasService: () => boolean,
  nowMs: number,
  oldestMs: number,
): Attributes | null {
  if (line?.text === null) return unwrapLine(line.fields, nowMs, oldestMs, { hasService })
  if (!isObject(log.body)) return null
  return unwrapLine(log.body, nowMs, oldestMs, { hasLevel: hasLevel(log), hasService })
}

/** The number is OpenTelemetry's severity; the text is the sender's name for the level. */
function setLevel(record: FlatRecord, { severityNumber, severityText }: LogRecord): void {
  const severity = severityOfOtelNumber(severityNumber)
  if (severity === null) {
    record.set('level', severityText)
    record.set('severityNumber', severityNumber)
    return
  }
  record.set('level', severity)
  if ((severityNumber - 1) % 4 !== 0) record.set('severityNumber', severityNumber)
  if (severityText.toLowerCase() !== severity) record.set('severityText', severityText)
}

function workloadOf(attributes: Attributes): string | null {
  for (const name of workloadNames) {
    const workload = readName(attributes[name] ?? null)
    if (workload !== null) return workload
  }
  return null
}

/** Reads the event's attributes instead of the log record, because only the attributes are redacted. */
function bodyOf(attributes: Attributes, fields: Attributes | null): string {
  const name = attributes['event.name']
  if (typeof name === 'string') return name
  const body = fields === null ? attributes.body : pickAttributes(attributes, Object.keys(fields))
  if (body === undefined || body === null) return ''
  const text = JSON.stringify(body)
  return text.length > maxBodyLength ? `${text.slice(0, maxBodyLength)}…` : text
}

function pickAttributes(attributes: Attributes, names: readonly string[]): Json {
  const entries = names.flatMap((name): [string, Json][] => {
    const key = Object.hasOwn(attributes, `body.${name}`) ? `body.${name}` : name
    return Object.hasOwn(attributes, key) ? [[name, attributes[key] ?? null]] : []
  })
  return entries.length === 0 ? null : Object.fromEntries(entries)
}
