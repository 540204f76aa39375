/** The content of a `traceparent` header. Ids are in lower-case hexadecimal. */
export type Traceparent = Readonly<{
  /** 32 digits */
  traceId: string
  /** The `sampled` flag: whether the caller may have recorded the trace. */
  isSampled: boolean
}>

const pattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
const onlyZeros = /^0+$/

/**
 * Parses a `traceparent` header (https://www.w3.org/TR/trace-context/#traceparent-header). Returns `null` if it is invalid.
 * Accepts future versions, which may have more parts.
 */
export function parseTraceparent(header: string): Traceparent | null {
  const [, version, traceId = '', parentId = '', flags = '', more] = pattern.exec(header) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (onlyZeros.test(traceId) || onlyZeros.test(parentId)) return null
  return { traceId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
