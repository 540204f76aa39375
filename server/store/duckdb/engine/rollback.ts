import { setTimeout } from 'node:timers/promises'
import { hasNoTransaction, isInvalidated, OpenTransactionError } from './engine-errors.ts'

const retryMs = 50
/** Longer than the queries of pages, which may occupy the memory. */
const maxRetries = 300

/**
 * Ends a failed transaction. A rollback needs a little memory itself: if it fails, the connection would reject all further
 * work, so it is retried.
 * @throws OpenTransactionError if there is still no memory
 */
export async function rollback(
  connection: { run(statement: string): Promise<unknown> },
  waitMs: number = retryMs,
): Promise<void> {
  for (let attempt = 0; attempt <= maxRetries; attempt += 1) {
    try {
      await connection.run('ROLLBACK')
      return
    } catch (error) {
      // A failed commit has already ended the transaction, and an engine that must be reopened has none.
      if (hasNoTransaction(error) || isInvalidated(error)) return
    }
    await setTimeout(waitMs)
  }
  throw new OpenTransactionError('There was no memory to roll back a transaction')
}
