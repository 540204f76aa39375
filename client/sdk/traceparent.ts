/** A request's place in a trace, in lower-case hexadecimal. */
export type TraceContext = Readonly<{
  /** 32 digits */
  traceId: string
  /** 16 digits */
  spanId: string
  /** Whether an earlier service recorded the trace. */
  isSampled: boolean
  /** Values of other tracing systems, passed on unchanged. */
  tracestate: string | null
}>

const pattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
const onlyZeros = /^0+$/
/** The length that services must support, and the characters that an HTTP client accepts. */
const tracestatePattern = /^[\x20-\x7e]{1,512}$/

/**
 * Returns the context of a new request: in the trace of the headers, or in a new trace if they are invalid or absent.
 * https://www.w3.org/TR/trace-context/#traceparent-header
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

/** Returns `null` if the header is invalid. Accepts future versions, which may have more parts. */
function parseTraceparent(header: string): Pick<TraceContext, 'traceId' | 'isSampled'> | null {
  const [, version, traceId = '', parentId = '', flags = '', more] = pattern.exec(header) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (onlyZeros.test(traceId) || onlyZeros.test(parentId)) return null
  return { traceId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Returns the `traceparent` header of an outgoing request. */
export function traceparentOf({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

/** UUIDs are several times faster to create than other random values, because Node.js prepares them in batches. */
function randomHex(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

function newSpanId(): string {
  return randomHex().slice(16)
}
