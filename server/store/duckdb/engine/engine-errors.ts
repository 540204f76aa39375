/**
 * Whether the engine refuses all further work on a file, or altogether. DuckDB does so after a checkpoint that failed,
 * for example on a full disk; the data is safe, and opening the file again recovers it.
 */
export function isInvalidated(error: unknown): boolean {
  return error instanceof Error && /has been invalidated|reattach the database/i.test(error.message)
}

/** Whether a transaction is on disk although its COMMIT reported an error. */
export function isCommitted(error: unknown): boolean {
  return error instanceof Error && /COMMIT succeeded and is durable/i.test(error.message)
}

export function isCheckpointFailure(error: unknown): boolean {
  return isInvalidated(error) || (error instanceof Error && /checkpoint.*failed/is.test(error.message))
}
