import { setTimeout } from 'node:timers/promises'
import { hasNoTransaction, isInvalidated, OpenTransactionError } from './engine-errors.ts'

const retryMs = 50
/** Retries last longer than page queries, which may occupy the memory. */
const maxRetries = 300

/**
 * Rolls back a failed transaction. The rollback itself needs a little memory. If there is none, it is retried, because a
 * connection with an open transaction rejects all further work.
 * @throws OpenTransactionError if memory is still unavailable
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
