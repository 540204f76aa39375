import type { LogEvent } from '../../../shared/event.ts'
import type { FailureNote, FailureState } from '../../../shared/failure.ts'
import type { SavedSearch } from '../../../shared/saved-search.ts'
import type { AuditEntry } from '../audit-store.ts'
import { microsOf } from '../common/time.ts'
import type { NewSignature } from '../failure-grouping.ts'
import type { Resolution } from '../failure-store.ts'
import type { StoredSetting } from '../setting-store.ts'
import type { SourceMapHeader } from '../source-map-store.ts'
import type { Token } from '../token-store.ts'
import type { Delivery, Webhook } from '../webhook-store.ts'

/** The contents of an in-memory store, which can be reopened after it is closed. */
export type Memory = {
  /** Ordered by id. */
  events: LogEvent[]
  lastId: number
  requests: { key: string; acceptedMs: number }[]
  /** The failure id of each known fingerprint. */
  failureIds: Map<string, string>
  /** Keyed by failure id. A failure without an entry is open. */
  failures: Map<string, FailureRecord>
  signatures: NewSignature[]
  /** The failure id of each fingerprint before it was merged by hand. */
  mergedFrom: Map<string, string>
  /** Pairs of failures that were split by hand. */
  splits: (readonly [string, string])[]
  notes: (FailureNote & { failureId: string })[]
  /** The last id of the last committed scan; `null` before `init`. */
  scannedId: number | null
  savedSearches: SavedSearch[]
  sourceMaps: { header: SourceMapHeader; content: Uint8Array }[]
  webhooks: Webhook[]
  deliveries: Delivery[]
  tokens: { token: Token; hash: string; usedMs: number | null }[]
  endedSessions: Map<string, number>
  /** Oldest first. */
  audit: AuditEntry[]
  settings: Map<string, StoredSetting>
}

export type FailureRecord = {
  state: FailureState
  stateMs: number
  stateBy: string | null
  mutedUntilMs: number | null
  resolution: Resolution | null
  /** Occurrences with greater ids are newer than the resolution. */
  resolvedAfterId: number
  returned: { release: string | null; atMs: number } | null
}

export function emptyMemory(): Memory {
  return {
    events: [],
    lastId: 0,
    requests: [],
    failureIds: new Map(),
    failures: new Map(),
    signatures: [],
    mergedFrom: new Map(),
    splits: [],
    notes: [],
    scannedId: null,
    savedSearches: [],
    sourceMaps: [],
    webhooks: [],
    deliveries: [],
    tokens: [],
    endedSessions: new Map(),
    audit: [],
    settings: new Map(),
  }
}

/** An unknown fingerprint is its own failure id. */
export function failureIdOf({ failureIds }: Memory, fingerprint: string): string {
  return failureIds.get(fingerprint) ?? fingerprint
}

export function stateOf(memory: Memory, fingerprint: string): FailureState {
  return memory.failures.get(failureIdOf(memory, fingerprint))?.state ?? 'open'
}

export function isInWindow(
  { timeMs }: LogEvent,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): boolean {
  const timeUs = microsOf(timeMs)
  return timeUs >= microsOf(fromMs) && timeUs < microsOf(toMs)
}

export function newestFirst(a: LogEvent, b: LogEvent): number {
  return b.timeMs - a.timeMs || b.id - a.id
}

/** Runs a query that the caller can abort. Rejects if the store is closed. */
export type Run = <T>(signal: AbortSignal | undefined, query: () => T) => Promise<T>
