import { dayMs } from '../../shared/duration-units.ts'
import type { Attributes, EventSource, Exception, Json, NewEvent } from '../../shared/event.ts'
import * as names from '../../shared/field-names.ts'
import { latestTimeMs } from '../../shared/plausible-time.ts'
import { readLevel, readSeverity, readSeverityNumber } from '../../shared/read-level.ts'
import { readTime } from '../../shared/read-time.ts'
import { isObject, readName, readText } from '../../shared/read-value.ts'
import { isFailureSeverity, type Severity } from '../../shared/severity.ts'
import type { Fingerprint } from '../grouping/fingerprint.ts'
import { exceptionInText } from '../stacks/exception-in-text.ts'
import { type Clean, maxEntries } from './clean.ts'
import * as read from './read-record.ts'
import { Fields, type Paths, pathsOf } from './take.ts'
import { canContainDigest, digestInText, findErrorId, takeDigest } from './take-digest.ts'
import { exceptionNames, takeException, takeExceptionInMessage } from './take-exception.ts'

export type Normalise = (record: object, source: EventSource, nowMs: number) => NewEvent

/**
 * Creates the function that converts a structured record of any shape to an event. Moves known fields into the event; other
 * fields, and known fields with invalid values (`status: "ok"`, a time in 1970), remain attributes. Without a time, the
 * event gets the arrival time, or the latest possible time if the sender's clock is fast. Without a message, it gets the
 * message of its exception. A stack trace in the message becomes the exception.
 */
export function createNormalise(clean: Clean, failures: { fingerprint: Fingerprint }): Normalise {
  return (record, source, nowMs) => {
    // Sentry's SDKs do not nest the fields of an event. The application chooses the names in `extra`.
    const wrapperDepth = source === 'sentry' ? 0 : undefined
    const fields = new Fields(unwrapped(cleanKnownFirst(record, clean)), 0, wrapperDepth)

    const timeMs = fields.take(times, value => readTime(value, nowMs)) ?? replacementTime(fields, nowMs)
    const severity = readSeverityOf((paths, read) => fields.take(paths, read))
    const message = fields.take(messages, readText) ?? textInList(fields.remaining.data)
    const explicitException =
      takeException(fields) ?? (message === null ? takeExceptionInMessage(fields) : null)
    const parsed = explicitException === null && message !== null ? exceptionInText(message) : null
    const exception = explicitException ?? parsed?.exception ?? null
    // winston copies the error's `name` to the record.
    const isErrorName = exception !== null && fields.remaining.name === exception.type
    const isFailure = exception !== null || (severity !== null && isFailureSeverity(severity))

    const event: NewEvent = {
      timeMs,
      severity: severity ?? (exception === null ? 'info' : 'error'),
      service: fields.take(isErrorName ? servicesExceptName : services, readName) ?? 'unknown',
      release: fields.take(releases, readName),
      source,
      body: parsed?.summary ?? message ?? exception?.message ?? '',
      requestId: fields.take(requestIds, readName),
      traceId: fields.take(traceIds, readTraceId),
      spanId: fields.take(spanIds, readSpanId),
      method: fields.take(methods, read.readMethod),
      route: fields.take(routes, readName),
      status: fields.take(statuses, read.readStatus),
      durationMs: fields.take(durations, read.readDuration),
      exception,
      digest:
        takeDigest(fields, isFailure) ??
        (isFailure ? findDigest(message, exception) : null) ??
        (exception === null ? null : findErrorId(fields)),
      fingerprint: null,
      attributes: {},
    }
    event.attributes = fields.rest(emptyWrappers)
    event.fingerprint = fingerprintOf(event, failures)
    return event
  }
}

/**
 * Returns the time for an event whose record contains no plausible time. A time less than a day ahead comes from a fast clock
 * or a wrong zone. Such an event must not precede earlier events of the same sender whose times were still plausible.
 */
function replacementTime(fields: Fields, nowMs: number): number {
  const isAhead = fields.find(times, value => readTime(value, nowMs + dayMs)) !== null
  return isAhead ? latestTimeMs(nowMs) : nowMs
}

/** Objects to omit once all their fields are taken. */
const emptyWrappers = new Set([
  ...['req', 'res', 'request', 'response', 'err', 'error', 'exception'],
  ...['http', 'service', 'resource', 'next', 'nextjs', 'thrown'],
  ...names.wrapperNames,
])

const times = pathsOf(names.timeNames)
const levels = pathsOf(names.levelNames)
const severityNames = pathsOf(names.severityNames)
const severityNumbers = pathsOf(names.severityNumberNames)
const messages = pathsOf(names.messageNames)
const services = pathsOf(names.serviceNames, { nested: names.nestedServiceNames })
const servicesExceptName = pathsOf(names.nestedServiceNames, { bit: services.bit })
const releases = pathsOf(names.releaseNames, { nested: names.nestedReleaseNames })
const requestIds = pathsOf(names.requestIdNames)
const traceIds = pathsOf(names.traceIdNames)
const spanIds = pathsOf(names.spanIdNames)
const methods = pathsOf(names.methodNames)
const routes = pathsOf(names.routeNames)
const statuses = pathsOf(names.statusNames)
const durations = pathsOf(names.durationNames)

/** Whether `Normalise` finds a time, severity or service in a record. If not, the protocol's parser can add it. */
export const recordHas = {
  time: (record: Attributes, nowMs: number) =>
    new Fields(unwrapped(record)).find(times, value => readTime(value, nowMs)) !== null,
  severity: (record: Attributes) => {
    const fields = new Fields(unwrapped(record))
    return readSeverityOf((paths, read) => fields.find(paths, read)) !== null
  },
  service: (record: Attributes) => new Fields(unwrapped(record)).find(services, readName) !== null,
}

type Lookup = <Value>(paths: Paths, read: (value: Json) => Value | null) => Value | null

function readSeverityOf(lookUp: Lookup): Severity | null {
  return (
    lookUp(levels, readLevel) ??
    lookUp(severityNames, readSeverity) ??
    lookUp(severityNumbers, readSeverityNumber)
  )
}

const readTraceId = read.readId(32)
const readSpanId = read.readId(16)

const known = new Set(
  names.topLevelNames([
    ...[...names.timeNames, ...names.levelNames, ...names.severityNames, ...names.severityNumberNames],
    ...[...names.messageNames, ...names.serviceNames, ...names.releaseNames, ...names.requestIdNames],
    ...[...names.traceIdNames, ...names.spanIdNames, ...names.methodNames, ...names.routeNames],
    ...[...names.statusNames, ...names.durationNames, ...exceptionNames, ...names.wrapperNames],
  ]),
)

/** Cleans a record. Only the first fields of a large record are stored, so known fields come first. */
function cleanKnownFirst(record: object, clean: Clean): Attributes {
  const keys = Object.keys(record)
  if (keys.length <= maxEntries) return clean(record)
  const [first, others]: [string[], string[]] = [[], []]
  for (const key of keys) {
    if (known.has(key) || canContainDigest(key)) first.push(key)
    else if (others.length < maxEntries) others.push(key)
  }
  // Copying all fields of a large record would take too long.
  const stored = [...first, ...others].slice(0, maxEntries).map(key => [key, Reflect.get(record, key)])
  return { ...clean(Object.fromEntries(stored)), '…': `[${keys.length - maxEntries} more]` }
}

/**
 * Gives the fields of zap's development encoder their usual names. These fields have one-letter names, so they are renamed
 * only if the level, the time and the message are all present:
 * https://pkg.go.dev/go.uber.org/zap#NewDevelopmentEncoderConfig
 */
function withUsualNames(record: Attributes): Attributes {
  const { L: level, T: time, M: msg, S: stacktrace, ...others } = record
  if (typeof level !== 'string' || typeof time !== 'string' || typeof msg !== 'string') return record
  return { ...others, level, time, msg, ...(stacktrace === undefined ? {} : { stacktrace }) }
}

/**
 * Renames zap's fields, or converts Caddy's duration from seconds to milliseconds (https://caddyserver.com/docs/logging).
 * Copies only records from these two, because copying every record would double the time that `unwrapped` takes.
 */
function withUsualFields(record: Attributes): Attributes {
  if (Object.hasOwn(record, 'L')) return withUsualNames(record)
  const { logger, duration } = record
  if (typeof duration === 'number' && typeof logger === 'string' && logger.startsWith('http.log.'))
    return { ...record, duration: duration * 1000 }
  return record
}

/** Moves nested attributes to the top level of the record, and converts the fields of zap and Caddy. */
function unwrapped(record: Attributes): Attributes {
  return withUsualFields(withoutNesting(record))
}

/**
 * Moves OpenTelemetry's nested `attributes` to the top level of the record. If another field has the same name and a
 * different value, the attribute's name gets the prefix `attributes.`.
 */
function withoutNesting(record: Attributes): Attributes {
  if (!Object.hasOwn(record, 'attributes')) return record
  const { attributes, ...rest } = record
  if (!isObject(attributes)) return record
  const merged = { ...attributes, ...rest }
  for (const name of Object.keys(attributes)) {
    const value = attributes[name]
    if (value !== undefined && value !== merged[name]) merged[`attributes.${name}`] = value
  }
  return merged
}

/** log4js logs the arguments of a call as a list. */
function textInList(list: Json | undefined): string | null {
  return Array.isArray(list) ? readText(list[0] ?? null) : null
}

function findDigest(message: string | null, exception: Exception | null): string | null {
  return digestInText(message ?? '') ?? digestInText(exception?.stack ?? exception?.message ?? '')
}

/** Returns `null` for an event without a digest or exception. Sixpane's own digests are already fingerprints. */
function fingerprintOf(event: NewEvent, failures: { fingerprint: Fingerprint }): string | null {
  const { digest, exception, body, route, source } = event
  if (digest === null && exception === null) return null
  if (source === 'own' && digest !== null && /^[0-9a-f]{10}$/.test(digest)) return digest
  return failures.fingerprint(exception ?? { type: 'Error', message: body, stack: null }, { body, route })
}
