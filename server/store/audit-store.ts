/** The changes that users made, for the audit log. */
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
  /** The name of the user; `null` if nobody has to sign in. */
  user: string | null
  /** What the user did, in the past tense: `Muted a failure`. */
  action: string
  /** What the user changed, such as the id of a failure or the name of a token; empty if the action says it. */
  details: string
}
