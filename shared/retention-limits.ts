/** The maximum age and total size of stored events. Events beyond either limit are deleted, oldest first. */
export type RetentionLimits = { maxAgeMs: number; maxBytes: number }
