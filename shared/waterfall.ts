import type { LogEvent } from './event.ts'

/** The events of one trace or request, nested by span or time. */
export type Waterfall = {
  by: 'trace' | 'request'
  id: string
  /** Whether the visitor searched for this trace or request. If not, it belongs to the open event. */
  isSearch: boolean
  /**
   * Which events are shown: all of them; only requests, warnings and failures; or only the newest of those. The open event is
   * never omitted.
   */
  shown: 'all' | 'notable' | 'newest'
  /** The total number of events, including those that are not shown. */
  total: number
  /** The start and the length of the displayed events. */
  fromMs: number
  lengthMs: number
  /** The services of the displayed events, ordered by their first event. */
  services: string[]
  /** In depth-first order. Siblings are ordered by start time. */
  lines: WaterfallLine[]
  /** `time` if events are nested in the spans that contain them, because their parent spans are unknown. */
  nestedBy: 'span' | 'time'
  skews: ClockSkew[]
  /** Link to all events of the trace or request in the log. */
  logHref: string
}

/**
 * An event or a gap without events. `left` and `width` are percentages of the total duration. `depth` is 0 for the outermost
 * lines, and `nested` counts the events nested in the line at any level.
 */
export type WaterfallLine = { left: number; width: number; depth: number; nested: number } & (
  | ({
      kind: 'event'
      /** Start time, relative to the first event. */
      offsetMs: number
      isFailed: boolean
      /** `POST /checkout 500`, if the event is a completed request. */
      request: string | null
      /** The message, shortened; empty if it only repeats `request`. */
      text: string
    } & Pick<LogEvent, 'id' | 'service' | 'severity' | 'durationMs'>)
  | { kind: 'gap'; gapMs: number }
)

/**
 * The clocks of two services differ by at least `minSkewMs`. `behind`: a request to `service` started before a request to
 * `other`, which was its caller or, if the caller is unknown, the root of the trace. `ahead`: the request started after its
 * caller ended. This also happens if the caller did not wait for the response.
 */
export type ClockSkew = { kind: 'behind' | 'ahead'; service: string; other: string; minSkewMs: number }
