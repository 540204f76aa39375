/** Returns the status of a framework's own response to an error: the error's status, else the response's, else 500. */
export function statusOf(error: unknown, responseStatus: number): number {
  const statuses = [propertyOf(error, 'statusCode'), propertyOf(error, 'status'), responseStatus]
  return (
    statuses.filter(status => typeof status === 'number').find(status => status >= 400 && status <= 599) ??
    500
  )
}

/**
 * Returns the response headers that the error specifies, such as `retry-after`. Omits Fetch `Headers`, which have no own
 * properties, because HTTP clients add the headers of an API's response to their errors.
 */
export function headersOf(error: unknown): object {
  const headers = propertyOf(error, 'headers')
  return typeof headers === 'object' ? { ...headers } : {}
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
