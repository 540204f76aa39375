/** Thrown if a connection cannot end its open transaction. The connection then rejects all further work. */
export class OpenTransactionError extends Error {
  override name = 'OpenTransactionError'
}

/**
 * Whether the engine refuses all further work on a file or on all files, for example after a checkpoint failed on a full
 * disk. The data is safe, and is available again after reopening.
 */
export function isInvalidated(error: unknown): boolean {
  if (error instanceof OpenTransactionError) return true
  return error instanceof Error && /has been invalidated|reattach the database/i.test(error.message)
}

export function isOutOfMemory(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^Out of Memory Error|Failed to commit: .*\b(?:allocate|pin) block/.test(error.message)
  )
}

/** Whether a rollback failed because its transaction has already ended. */
export function hasNoTransaction(error: unknown): boolean {
  return error instanceof Error && /no transaction is active/i.test(error.message)
}

/** Whether a transaction is durable even though its COMMIT reported an error. */
export function isCommitted(error: unknown): boolean {
  return error instanceof Error && /COMMIT succeeded and is durable/i.test(error.message)
}

export function isCheckpointFailure(error: unknown): boolean {
  return isInvalidated(error) || (error instanceof Error && /checkpoint.*failed/is.test(error.message))
}

/**
 * Whether a block's content differs from the data that was written. The engine checks a block only when it reads the
 * block, and does not report which file contains it.
 */
export function isDamagedBlock(error: unknown): boolean {
  return error instanceof Error && /^IO Error: Corrupt database file/.test(error.message)
}
