import type { LogEvent } from '../../../shared/event.ts'
import { microsOf } from '../common/time.ts'
import { emptyState, type State } from '../state/state.ts'

/** The contents of an in-memory store, which can be reopened after it is closed. */
export type Memory = {
  /** Ordered by id. */
  events: LogEvent[]
  lastId: number
  requests: { key: string; acceptedMs: number }[]
  state: State
  sourceMapContents: Map<string, Uint8Array>
}

export function emptyMemory(): Memory {
  return { events: [], lastId: 0, requests: [], state: emptyState(), sourceMapContents: new Map() }
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

/** Sorts events from servers before others, then events with an exception, and then the newest first. */
export function causeFirst(a: LogEvent, b: LogEvent): number {
  const isFromBrowser = ({ source }: LogEvent) => Number(source === 'browser')
  const hasException = ({ exception }: LogEvent) => Number(exception !== null)
  return isFromBrowser(a) - isFromBrowser(b) || hasException(b) - hasException(a) || newestFirst(a, b)
}

/** Whether a browser reported a server error. The browser knows the digest of such an error, but not the cause. */
export function hasOnlyDigest({ source, digest }: Pick<LogEvent, 'source' | 'digest'>): boolean {
  return source === 'browser' && digest !== null
}

/** Runs a query that the caller can abort. Rejects if the store is closed. */
export type Run = <T>(signal: AbortSignal | undefined, query: () => T) => Promise<T>
