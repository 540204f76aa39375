import type { LogEvent } from './event.ts'

/** The events of one trace or request over all services, in the order in which they began. */
export type Waterfall = {
  by: 'trace' | 'request'
  id: string
  /** The search asks for it and for nothing else; else it is that of the open event. */
  isSearch: boolean
  /** Of more events than are shown: requests, warnings and failures, or the newest of those. */
  shown: 'all' | 'notable' | 'newest'
  /** How many events it has in all. */
  total: number
  fromMs: number
  lengthMs: number
  /** In the order in which they came into it. */
  services: string[]
  lines: WaterfallLine[]
  skews: ClockSkew[]
  /** The log of all of it. */
  logHref: string
}

/** An event, or a time with nothing logged. `left` and `width` are percent of the whole. */
export type WaterfallLine = { left: number; width: number } & (
  | ({
      kind: 'event'
      /** When it began, counted from the first one. */
      offsetMs: number
      isFailed: boolean
      /** `POST /checkout 500`, where it is a request that was answered. */
      request: string | null
      /** The message, cut short; empty where it says no more than `request`. */
      text: string
    } & Pick<LogEvent, 'id' | 'service' | 'severity' | 'durationMs'>)
  | { kind: 'quiet'; quietMs: number }
)

/**
 * The clock of a service can't agree with another's, by `leastMs` at least: a request began before the one of `other`
 * that called it (`behind`), or after that had ended (`ahead`, unless nobody waited for it).
 */
export type ClockSkew = { kind: 'behind' | 'ahead'; service: string; other: string; leastMs: number }
