import type { Attributes, Exception, Json } from '../../../shared/event.ts'
import { requestIdNames } from '../../../shared/field-names.ts'
import { breadcrumbsOf } from './breadcrumbs.ts'
import { readThrown } from './exception.ts'
import { list, object, present, text } from './json-fields.ts'
import { messageOf } from './message.ts'
import { splitName } from './request-record.ts'
import { originOf, type Sender, serviceIn, timeOf } from './sender.ts'
import { tagsOf } from './tags.ts'
import { urlFields } from './url-fields.ts'
import { userFields } from './user-fields.ts'

/** The fields without which an event is still useful. */
export const eventDetails: ReadonlySet<string> = new Set([
  'breadcrumbs',
  'contexts',
  'debug_meta',
  'extra',
  'request',
  'tags',
  'user',
])

/** The fields that `eventRecord` reads. */
export const eventFields: ReadonlySet<string> = new Set([
  ...eventDetails,
  ...['dist', 'environment', 'event_id', 'exception', 'fingerprint', 'level', 'logentry', 'logger'],
  ...['message', 'platform', 'release', 'sdk', 'server_name', 'timestamp', 'transaction'],
])

/**
 * Converts an item of type `event` (https://develop.sentry.dev/sdk/data-model/event-payloads/) to a log record. An event
 * with an exception becomes an occurrence of a failure. Any other event becomes a log line.
 */
export function eventRecord(event: Attributes, sender: Sender): Attributes {
  const platform = text(event.platform) ?? 'other'
  const contexts = object(event.contexts)
  const tags = tagsOf(event.tags)
  const trace = object(contexts.trace)
  const extra = object(event.extra)
  const sdk = object(event.sdk)
  const thrown = readThrown(event, platform)
  const { method, path } = splitName(text(event.transaction) ?? '')
  return {
    ...present({
      time: timeOf(event.timestamp, sender),
      msg: messageOf(event) ?? (thrown === null ? titleOf(event) : null),
      traceId: trace.trace_id,
      spanId: trace.span_id,
      requestId: requestIdNames.map(name => extra[name]).find(id => text(id) !== null),
      method: text(object(event.request).method) ?? method,
      route: path,
      digest: digestOf(contexts, tags, extra),
      event_id: text(event.event_id) ?? sender.eventId,
    }),
    level: text(event.level) ?? (thrown === null ? 'info' : 'error'),
    ...(thrown === null ? {} : { err: present(errorOf(thrown.exception)) }),
    ...originOf(sender, { named: serviceIn(tags), release: text(event.release) }),
    ...present({
      mechanism: thrown?.mechanism,
      handled: thrown?.handled,
      componentStack: thrown?.componentStack,
      logger: event.logger,
      dist: event.dist,
      'deployment.environment.name': event.environment,
      'host.name': event.server_name,
      'telemetry.sdk.name': sdk.name,
      'telemetry.sdk.version': sdk.version,
      ...requestFields(event.request),
      ...userFields(event.user),
      debugIds: debugIdsOf(event.debug_meta),
      sourceLines: thrown?.sourceLines,
      tags: withoutDigest(tags),
      contexts: storedContexts(contexts),
      extra,
      'sentry.fingerprint': customFingerprint(event.fingerprint),
      breadcrumbs: breadcrumbsOf(event.breadcrumbs, sender),
    }),
  }
}

/**
 * Returns the fields of an exception. If it has only a type, the type becomes its message, because `takeException` ignores
 * a type alone.
 */
function errorOf({ type, message, stack }: Exception): Attributes {
  return { type, message: message === '' && stack === null ? type : message, stack }
}

/** Returns the text of an exception without a type. SDKs send such exceptions to attach a stack to a message. */
function titleOf({ exception }: Attributes): string | null {
  return text(object(list(exception).at(-1)).value)
}

/**
 * Returns the digest that a framework assigned to the error. `sixpane/sentry` sends it as a tag. The SDK's
 * `ExtraErrorData` integration sends an error's fields as a context named after the error. If the application throws an
 * object that is not an error, its fields are in `extra`.
 */
function digestOf(contexts: Attributes, tags: Attributes, extra: Attributes): Json | undefined {
  const candidates = [tags, extra, object(extra.__serialized__), ...Object.values(contexts).map(object)]
  return candidates.find(({ digest }) => text(digest) !== null)?.digest
}

/** The digest has its own field. */
function withoutDigest({ digest: _, ...tags }: Attributes): Attributes {
  return tags
}

/** Returns the debug ids of generated files under the file names in the stack. */
function debugIdsOf(debugMeta: Json | undefined): Attributes {
  const ids = list({ values: object(debugMeta).images ?? [] }).flatMap((each): [string, Json][] => {
    const { type, code_file: file, debug_id: id } = object(each)
    return type === 'sourcemap' && text(file) !== null && text(id) !== null
      ? [[String(file), String(id)]]
      : []
  })
  return Object.fromEntries(ids)
}

/** Cookies and the body are not stored, because they contain personal data and are rarely useful. */
function requestFields(given: Json | undefined): Attributes {
  const { url, query_string: query, headers } = object(given)
  const sent = tagsOf(headers)
  const address = text(url)
  const hasQuery = address?.includes('?') || typeof query !== 'string' || query === ''
  return present({
    ...urlFields(address !== null && !hasQuery ? `${address}?${query}` : address),
    'user_agent.original': userAgentOf(sent),
    'http.request.header': storedHeaders(sent),
  })
}

/** The SDK for PHP sends a list of values for each header. */
function userAgentOf(headers: Attributes): Json | undefined {
  const [, value] = Object.entries(headers).find(([name]) => /^user-agent$/i.test(name)) ?? []
  return Array.isArray(value) ? value[0] : value
}

/** Cookies, and headers that have their own fields or only propagate the trace context. */
const omittedHeaders = /^(?:cookie|user-agent|baggage|sentry-trace|traceparent)$/i

function storedHeaders(headers: Attributes): Attributes {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !omittedHeaders.test(name)))
}

/** Contexts that have their own fields or describe the machine at the time of the event. */
const omittedContexts = new Set([
  ...['trace', 'otel', 'app', 'culture', 'device', 'cloud_resource', 'gpu', 'memory_info'],
  'missing_instrumentation',
])

function storedContexts(contexts: Attributes): Attributes {
  return Object.fromEntries(Object.entries(contexts).filter(([name]) => !omittedContexts.has(name)))
}

/** Sixpane groups failures itself; a fingerprint set by the application is stored so that searches find it. */
function customFingerprint(fingerprint: Json | undefined): Json | undefined {
  return Array.isArray(fingerprint) && !fingerprint.every(part => part === '{{ default }}')
    ? fingerprint
    : undefined
}
