// The build keeps this file separate, because the server and a separately loaded engine must share the classes.

/** Thrown if the store cannot be used. `message` explains the cause and the fix to the operator. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError'
}

/**
 * Thrown if a query needs more memory, time or disk space than it may use. Visitors see `message`, which must not end with a
 * full stop.
 */
export class QueryLimitError extends Error {
  override name = 'QueryLimitError'
}
