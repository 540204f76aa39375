import { isCommitted, isInvalidated } from './engine-errors.ts'
import type { Recovery } from './recovery.ts'

/**
 * Runs a transaction, and replaces the engine if the commit broke it. Resolves if the transaction is durable, even if the
 * replacement fails, because a caller that retried the transaction would apply it twice. The next operation then replaces
 * the engine.
 */
export async function runCommit(
  recovery: Pick<Recovery, 'run' | 'replace'>,
  transaction: () => Promise<void>,
  onFailedReplacement: (error: unknown) => void,
): Promise<void> {
  try {
    await recovery.run(transaction)
  } catch (error) {
    if (!isCommitted(error)) {
      if (isInvalidated(error)) await recovery.replace(error)
      throw error
    }
    if (isInvalidated(error)) await recovery.replace(error).catch(onFailedReplacement)
  }
}
