import { parseTraceparent, type Traceparent } from '../../shared/traceparent.ts'

/** The trace context of a request: its trace, its span and the state of other tracing systems. */
export type TraceContext = Traceparent &
  Readonly<{
    /** 16 lower-case hexadecimal digits */
    spanId: string
    /** Values of other tracing systems, passed on unchanged. */
    tracestate: string | null
  }>

/** The length that services must support, and the characters that an HTTP client accepts. */
const tracestatePattern = /^[\x20-\x7e]{1,512}$/

/**
 * Returns the context of a new request. It continues the trace from the headers, or starts a new trace if the headers are
 * invalid or absent. https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function contextOfRequest(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): TraceContext {
  const { traceparent, tracestate } = headers
  const parent = typeof traceparent === 'string' ? parseTraceparent(traceparent) : null
  if (parent === null) return { traceId: randomHex(), spanId: newSpanId(), isSampled: true, tracestate: null }
  const isValid = typeof tracestate === 'string' && tracestatePattern.test(tracestate)
  return { ...parent, spanId: newSpanId(), tracestate: isValid ? tracestate : null }
}

/** Returns the `traceparent` header of an outgoing request. */
export function traceparentOf({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

/**
 * Returns the 32 digits of a UUID. UUIDs are several times faster to create than other random values, because Node.js prepares
 * them in batches.
 */
function randomHex(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

function newSpanId(): string {
  return randomHex().slice(16)
}
