import type { Labels } from './labels.ts'

/** One line of a push, or the reason why it is invalid. */
export type Entry = { timeUnixNano: string; line: string; metadata: Labels | null } | { reason: string }

/** Entries that share labels. */
export type Stream = { labels: Labels; entries: Iterable<Entry> }
