/** How long and how much to store. Events beyond either limit are deleted, oldest first. */
export type RetentionLimits = { maxAgeMs: number; maxBytes: number }
