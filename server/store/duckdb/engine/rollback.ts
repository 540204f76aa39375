import { setTimeout } from 'node:timers/promises'
import { hasNoTransaction, isInvalidated, OpenTransactionError } from './engine-errors.ts'

const retryMs = 50
/** Enough retries to outlast the page queries that may be using the memory. */
const maxRetries = 300

/**
 * Rolls back a failed transaction. Retries the rollback if it runs out of memory, because a connection with an open
 * transaction rejects all further work.
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
      // A failed commit has already ended the transaction, and an invalidated engine has no open transaction.
      if (hasNoTransaction(error) || isInvalidated(error)) return
    }
    await setTimeout(waitMs)
  }
  throw new OpenTransactionError('Not enough memory to roll back a transaction')
}
