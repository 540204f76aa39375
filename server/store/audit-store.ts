/** The audit log: users' changes, sign-ins and backup downloads. */
export type AuditStore = {
  /** Adds an entry, and deletes the oldest ones beyond 10,000. */
  add(entry: AuditEntry): Promise<void>
  /** The newest entries, newest first. */
  list(limit: number): Promise<AuditEntry[]>
}

export const maxAuditEntries = 10_000

export type AuditEntry = {
  id: string
  atMs: number
  /** The user's name; `null` if Sixpane runs without sign-in. */
  user: string | null
  /** The action in the past tense: `Muted a failure`. */
  action: string
  /** The changed object, for example a failure's id or a token's name; empty if `action` identifies it. */
  details: string
}
