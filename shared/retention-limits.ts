/** How long and how much to store: events beyond either limit are deleted, oldest first. */
export type RetentionLimits = { maxAgeMs: number; maxBytes: number }
