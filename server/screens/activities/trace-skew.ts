import type { LogEvent } from '../../../shared/event.ts'
import type { ClockSkew } from '../../../shared/waterfall.ts'
import { startOf } from './trace-layout.ts'

/** What rounding, and the moment between an answer and its line in the log, explain already. */
const toleranceMs = 10

type Request = LogEvent & { spanId: string; durationMs: number }

/**
 * The services of a trace whose clocks can't agree: a request can't begin before the one that called it, nor before the
 * root of the trace, which is first by definition (https://opentelemetry.io/docs/specs/otel/overview/#traces). One that
 * begins after its caller has ended tells of a clock as well, unless nobody waited for it.
 *
 * Without spans and their parents nothing is said: that two requests overlap proves nothing.
 */
export function clockSkews(events: readonly LogEvent[]): ClockSkew[] {
  const all = events.filter(isRequest)
  // A span that answered twice was sent twice, or is none: which of them called can't be known.
  const requests = all.filter(({ id, spanId }) =>
    all.every(other => other.spanId !== spanId || other.id === id),
  )
  const bySpan = new Map(requests.map(request => [request.spanId, request]))
  const roots = requests.filter(request => parentOf(request) === null)
  const root = roots.length === 1 ? roots[0] : undefined

  const widest = new Map<string, ClockSkew>()
  for (const request of requests) {
    const parent = parentOf(request)
    if (parent === null) continue
    const caller = bySpan.get(parent)
    const skew = skewOf(request, caller ?? root, caller !== undefined)
    if (skew === null) continue
    const key = JSON.stringify([skew.service, skew.other, skew.kind])
    const known = widest.get(key)
    if (known === undefined || known.leastMs < skew.leastMs) widest.set(key, skew)
  }
  const skews = [...widest.values()]
  // Ahead and behind at once: whatever the reason, it is not the clock.
  return skews.filter(({ kind, service, other }) =>
    skews.every(each => each.kind === kind || each.service !== service || each.other !== other),
  )
}

function skewOf(request: Request, other: Request | undefined, isCaller: boolean): ClockSkew | null {
  if (other === undefined || other.service === request.service) return null
  const services = { service: request.service, other: other.service }
  const behindMs = startOf(other) - startOf(request)
  if (behindMs > toleranceMs) return { kind: 'behind', ...services, leastMs: behindMs }
  // What happens after the root has ended is often meant to.
  const aheadMs = startOf(request) - other.timeMs
  if (isCaller && aheadMs > toleranceMs) return { kind: 'ahead', ...services, leastMs: aheadMs }
  return null
}

function isRequest(event: LogEvent): event is Request {
  return event.spanId !== null && event.durationMs !== null && event.status !== null
}

/** The span that a request was called from, as OpenTelemetry's spans have it and as loggers write it. */
function parentOf({ attributes }: LogEvent): string | null {
  const parent = attributes.parentSpanId ?? attributes.parent_span_id
  return typeof parent === 'string' && parent !== '' ? parent.toLowerCase() : null
}
