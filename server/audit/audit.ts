import { randomUUID } from 'node:crypto'
import type { User } from '../../shared/user.ts'
import type { Logger } from '../logger.ts'
import type { AuditEntry, AuditStore } from '../store/audit-store.ts'

/** Records what users do: changes, sign-ins and downloads of backups. */
export type Audit = {
  /**
   * Stores an entry, and logs it, so that it is also an event. If storing fails, only logs the error, because the user has
   * already done what the entry describes.
   * @param action what the user did, in the past tense
   * @param details what the user changed; never a secret
   */
  record(user: Pick<User, 'name'>, action: string, details?: string): Promise<void>
  /** The newest entries, newest first. */
  list(limit: number): Promise<AuditEntry[]>
}

const maxDetailsLength = 1000

export function createAudit(store: AuditStore, logger: Pick<Logger, 'info' | 'error'>): Audit {
  return {
    async record({ name }, action, details = '') {
      const entry = {
        id: randomUUID(),
        atMs: Date.now(),
        user: name,
        action,
        details: details.slice(0, maxDetailsLength).toWellFormed(),
      }
      logger.info({ audit: { user: name, action, details: entry.details } }, 'Audit log entry')
      await store.add(entry).catch(err => logger.error({ err, action }, 'Failed to store an audit log entry'))
    },
    list: store.list,
  }
}
