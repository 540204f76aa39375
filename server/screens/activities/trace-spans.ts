import type { LogEvent } from '../../../shared/event.ts'

/** Returns the id of the calling span from the attribute in which OpenTelemetry or a logger stores it. */
export function parentSpanOf({ attributes }: Pick<LogEvent, 'attributes'>): string | null {
  const parent = attributes.parentSpanId ?? attributes.parent_span_id
  return typeof parent === 'string' && parent !== '' ? parent.toLowerCase() : null
}
