import type { Attributes } from '../../../shared/event.ts'
import { setField } from '../../events/clean.ts'
import { present, text } from './json-fields.ts'
import { plainAttributes } from './plain-attributes.ts'
import { originOf, type Sender, serviceIn, timeOf } from './sender.ts'

/** Sentry attributes that have other names in OpenTelemetry, or are not stored as attributes (`null`). */
const renamed: ReadonlyMap<string, string | null> = new Map([
  ['sentry.release', null],
  ['sentry.environment', 'deployment.environment.name'],
  ['sentry.sdk.name', 'telemetry.sdk.name'],
  ['sentry.sdk.version', 'telemetry.sdk.version'],
  ['sentry.trace.parent_span_id', null],
  ['sentry.timestamp.sequence', null],
  ['server.address', 'host.name'],
])

/** Converts an item of type `log` (https://develop.sentry.dev/sdk/telemetry/logs/) to a log record. */
export function logRecord(log: Attributes, sender: Sender): Attributes {
  const attributes = plainAttributes(log.attributes)
  const record: Attributes = {
    level: text(log.level) ?? 'info',
    msg: text(log.body) ?? '',
    ...present({
      time: timeOf(log.timestamp, sender),
      traceId: log.trace_id,
      spanId: log.span_id ?? attributes['sentry.trace.parent_span_id'],
    }),
    ...originOf(sender, { named: serviceIn(attributes), release: text(attributes['sentry.release']) }),
  }
  for (const name of Object.keys(attributes)) {
    const value = attributes[name]
    const stored = renamed.has(name) ? (renamed.get(name) ?? null) : name
    if (value === undefined || stored === null) continue
    if (!Object.hasOwn(record, stored)) setField(record, stored, value)
    else if (value !== record[stored]) record[`attributes.${stored}`] = value
  }
  return record
}
