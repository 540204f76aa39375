import type { LogEvent } from '../../../shared/event.ts'
import { startOf } from '../../../shared/start-of.ts'
import type { ClockSkew } from '../../../shared/waterfall.ts'
import { parentSpanOf } from './trace-spans.ts'

/** Tolerance for rounding and for the delay between a response and its log line. */
const toleranceMs = 10

type Request = LogEvent & { spanId: string; durationMs: number }

/**
 * Finds clock differences between the services of a trace. A request can't start before its caller or before the root of
 * the trace (https://opentelemetry.io/docs/specs/otel/overview/#traces). A request that starts after its caller has ended
 * also indicates a wrong clock, unless the caller did not wait for the request.
 *
 * Only spans with parents are compared, because without parents the order of two requests proves nothing.
 */
export function clockSkews(events: readonly LogEvent[]): ClockSkew[] {
  const all = events.filter(isRequest)
  // Skips span ids that several requests share, because any of these requests could be the caller.
  const requests = all.filter(({ id, spanId }) =>
    all.every(other => other.spanId !== spanId || other.id === id),
  )
  const bySpan = new Map(requests.map(request => [request.spanId, request]))
  const roots = requests.filter(isRoot)
  const root = roots.length === 1 ? roots[0] : undefined

  const widest = new Map<string, ClockSkew>()
  for (const request of requests) {
    const parent = parentSpanOf(request)
    if (parent === null) continue
    const caller = bySpan.get(parent)
    const skew = skewOf(request, caller ?? root, caller !== undefined)
    if (skew === null) continue
    const key = JSON.stringify([skew.service, skew.other, skew.kind])
    const previous = widest.get(key)
    if (previous === undefined || previous.minSkewMs < skew.minSkewMs) widest.set(key, skew)
  }
  const skews = [...widest.values()]
  // If a service appears both ahead of and behind another, its clock is not the cause.
  return skews.filter(({ kind, service, other }) =>
    skews.every(each => each.kind === kind || each.service !== service || each.other !== other),
  )
}

function skewOf(request: Request, other: Request | undefined, isCaller: boolean): ClockSkew | null {
  if (other === undefined || other.service === request.service) return null
  const services = { service: request.service, other: other.service }
  const behindMs = startOf(other) - startOf(request)
  if (behindMs > toleranceMs) return { kind: 'behind', ...services, minSkewMs: behindMs }
  // Requests after the end of the root are often intentional.
  const aheadMs = startOf(request) - other.timeMs
  if (isCaller && aheadMs > toleranceMs) return { kind: 'ahead', ...services, minSkewMs: aheadMs }
  return null
}

/** Spans without a parent start a trace. Log lines do not contain the parent of their span. */
function isRoot(request: Request): boolean {
  const { source, attributes } = request
  const isSpan = source === 'sentry' || (source === 'otlp' && attributes['span.name'] !== undefined)
  return isSpan && parentSpanOf(request) === null
}

function isRequest(event: LogEvent): event is Request {
  return event.spanId !== null && event.durationMs !== null && event.status !== null
}
