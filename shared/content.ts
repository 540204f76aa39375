import type { Column } from './columns.ts'
import type { Attributes, EventSource, LogEvent, Severity } from './event.ts'
import type { Markup } from './markup.ts'
import type { RouteSort, SettingsDone, SettingsPart } from './paths.ts'
import type { FormPreferences, Preferences } from './preferences.ts'
import type { QueryProblem } from './query.ts'
import type { Range, Span, Window } from './range.ts'
import type { ScreenId } from './screens.ts'
import type { VitalName, VitalRating } from './vitals.ts'

/** What each screen shows: the plain, serialisable value that the server prepares for one request. */
export type Contents = {
  home: HomeContent
  activities: ActivitiesContent
  dashboard: DashboardContent
  development: DevelopmentContent
  settings: SettingsContent
  ui: UiContent
}

/** One rendered page, as hydration and navigation read it. `null` content: there is no such page. */
export type Page = {
  /** The build that rendered it: a client of another build loads the document instead. */
  build: string
  /** Path and query of the page. */
  url: string
  title: string
  /** The server's clock when the content was prepared; relative times count from it. */
  nowMs: number
  preferences: Preferences
  /** Fail on purpose while this page hydrates. */
  drill?: 'client'
  /** In the browser only: the text of each `Markup` of the content, by its name. */
  drawn?: Readonly<Record<string, string>>
} & (ScreenContent | { screen: null; content: null })

/** A screen together with what it shows. */
export type ScreenContent = { [Id in ScreenId]: { screen: Id; content: Contents[Id] } }[ScreenId]

// -- Home ------------------------------------------------------------------------------------------------

export type HomeContent = {
  span: Span
  /** What every figure is of. */
  window: Window
  verdict: Verdict
  /** The worst first. Of very many those that are fine or silent are left out, unless all were asked for. */
  services: ServiceRow[]
  areAllAsked: boolean
  /** How many are left out, by their state. */
  leftOut: { state: ServiceRow['state']; count: number }[]
  /** The newest open failures, at most ten. */
  failures: FailureRow[]
  /** How many others occurred. */
  otherFailures: { resolved: number; muted: number }
  /** Live feed of the occurrences of open failures since then. */
  newsHref: string
  /** No service but Sixpane itself has sent an event yet. */
  onlyOwn: boolean
  /** The first ways to connect a service; none once one is connected. */
  connect: Snippet[]
}

export type Verdict = {
  state: 'ok' | 'degraded' | 'failing' | 'empty'
  /** "2 of 5 services are failing: 14 failures in the last 15 minutes, up from 1". */
  sentence: string
  /** The search for what it counts, or `null` where it counts nothing. */
  search: string | null
}

export type ServiceRow = {
  service: string
  /** `failing`: it has failures in the window; `degraded`: answers of status 5xx; `silent`: no event in the window. */
  state: 'ok' | 'degraded' | 'failing' | 'silent'
  /** Requests per second, or `null` where it answered none. */
  requestRate: number | null
  /** Share of requests answered with 5xx, 0 to 1. */
  errorRatio: number | null
  p95Ms: number | null
  /** Occurrences of failures in the window. */
  failures: number
  /** Events per bucket, oldest first. */
  sparkline: number[]
  lastSeenMs: number
  release: string | null
}

export const failureStates = ['open', 'resolved', 'muted'] as const
/** `resolved`: it should not occur in a newer release; `muted`: nobody wants to hear of it. */
export type FailureState = (typeof failureStates)[number]

/** A release and a moment; `null` for one without a name. */
export type ReleaseMoment = { release: string | null; atMs: number }

export type FailureRow = {
  fingerprint: string
  state: FailureState
  /** When the state was last set, or `null` where it has been open from the beginning. */
  stateMs: number | null
  /** When it was resolved, and in which release: `null` for the next one. Kept when it returns. */
  resolved: ReleaseMoment | null
  /** It was resolved, and came back in this release: it is open again. */
  returned: ReleaseMoment | null
  /** Of the newest occurrence; `Error` and its message where it has no exception. */
  type: string
  /** In lists cut to 500 characters. */
  message: string
  /** Digests seen, newest first, at most five. */
  digests: string[]
  /** In the order of their text. */
  services: string[]
  releases: string[]
  /** Occurrences in the window. */
  count: number
  /** Over everything that is kept. */
  firstSeenMs: number
  lastSeenMs: number
  /** Occurrences per bucket of the window, oldest first. */
  sparkline: number[]
}

// -- Activities ------------------------------------------------------------------------------------------

export type ActivitiesContent = {
  /** The search as it was typed. */
  q: string
  problem: QueryProblem | null
  /** The box held what looks like a digest, and no event has it. */
  unknownDigest: { digest: string; kept: KeptEvents } | null
  range: Range
  window: Window
  columns: Column[]
  /** The columns as the URL asks for them; nothing where they are the visitor's usual ones. */
  columnsAsked?: string | undefined
  /** Where the page of events begins; neither where it holds the newest. */
  cursor: { before?: string | undefined; after?: string | undefined }
  /** Words of the search, to be marked where they stand. */
  marks: string[]
  /** Events that match, in the whole window. */
  total: number
  /** How many match of each severity, whatever severities the search asks for. */
  severities: { severity: Severity; count: number; active: boolean; href: string }[]
  histogram: Markup | null
  facets: Facet[]
  events: EventRow[]
  open: LogEvent | null
  /** How long after its time the open event arrived; below zero where its writer's clock is ahead. */
  openLateMs: number | null
  /** The open event was asked for and is not kept (any more). */
  openMissing: boolean
  /** All of the trace or request that was searched for, else of the open event's. */
  waterfall: Waterfall | null
  olderHref: string | null
  newerHref: string | null
  saved: SavedView[]
  /** The form that keeps this view under a name. */
  saveForm: { view: string; name: string; problem: string | null }
  /** A longer time around the window, or `null` where it is the longest already. */
  zoomOutHref: string | null
  /** The search without each one of its terms: what may help where nothing matches. */
  withoutTerms: { term: string; href: string }[]
  /** Live feed of this search, or `null` where the page does not end in the present. */
  liveHref: string | null
  queryMs: number
}

/** What may stand in place of a part of a search. */
export type Completion = {
  /** The part that an option takes the place of: offsets into the text. */
  from: number
  to: number
  options: {
    text: string
    label: string
    /** What it means, or how often it is. */
    hint: string
  }[]
}

/** Something that the command palette leads to. */
export type Found = {
  kind: (typeof foundKinds)[number]
  label: string
  /** What tells it from others of its name. */
  hint: string
  /** What else it is found by. */
  also: string
  href: string
}
export const foundKinds = ['saved', 'service', 'failure'] as const

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

/** A named view of the log as the screen offers it. */
export type SavedView = {
  id: string
  name: string
  href: string
  /** It is the view that is shown. */
  active: boolean
}

/** The forms of the log, by what their field `form` says. */
export const activitiesForms = { save: 'save', forget: 'forget', columns: 'columns' } as const

/** A view of the log that somebody gave a name. */
export type SavedSearch = {
  id: string
  name: string
  /** Its query string. */
  view: string
  createdMs: number
}

export const facetNames = ['service', 'route', 'status', 'release', 'source'] as const
export type FacetName = (typeof facetNames)[number]

export type Facet = {
  field: FacetName
  label: string
  values: FacetValue[]
  /**
   * Shows the field with all its values and a search among them, or with the most frequent alone again. `null` where
   * there are no more.
   */
  href: string | null
  /** What is searched for among the values, where they are all shown; else `null`. */
  find: string | null
}

export type FacetValue = {
  value: string
  /** `null` for a value that the search leaves out. */
  count: number | null
  state: 'none' | 'included' | 'excluded'
  /** Each of the two takes back what it did, where the search has it already. */
  includeHref: string
  excludeHref: string
}

/** An event as a row: the message cut to 500 characters, without the attributes. */
export type EventRow = Pick<
  LogEvent,
  | 'id'
  | 'timeMs'
  | 'severity'
  | 'service'
  | 'release'
  | 'source'
  | 'body'
  | 'requestId'
  | 'traceId'
  | 'method'
  | 'route'
  | 'status'
  | 'durationMs'
  | 'digest'
  | 'fingerprint'
> & {
  exceptionType: string | null
  /** The attributes that columns were asked for, as text, by their paths. */
  attributeTexts?: Record<string, string>
}

// -- Dashboard -------------------------------------------------------------------------------------------

export type DashboardContent = {
  range: Range
  /** What every figure is of; a relative range begins at the edge of a bucket. */
  window: Window
  service: string | null
  services: string[]
  now: RequestFigures
  before: RequestFigures
  /** The requests of the window, and those of them that failed. */
  eventsHref: string
  errorsHref: string
  /** The charts show the period before too. */
  compare: boolean
  charts: { id: 'rate' | 'errors' | 'latency'; title: string; unit: string; chart: Markup }[]
  /** How many requests took how long, when. */
  heatMap: Markup
  /** Releases that began in the window, newest first: those that the charts mark. */
  releases: { service: string; release: string; atMs: number; eventsHref: string }[]
  /** All that began. */
  releaseCount: number
  sort: RouteSort
  /** The first twenty in the order of `sort`. */
  routes: RouteRow[]
  /** How pages felt in browsers: of the twenty busiest routes, busiest first. */
  vitals: {
    service: string
    route: string | null
    /** Those that browsers told of. */
    metrics: {
      name: VitalName
      p75: number
      rating: VitalRating
      count: number
      /** p75 per bucket, oldest first. */
      sparkline: number[]
      eventsHref: string
    }[]
  }[]
  /** Routes with a request in the window. */
  routeCount: number
  process: {
    /** p99 since the previous reading. */
    eventLoopDelayMs: number
    heapUsedBytes: number
    rssBytes: number
    /** Share of one core. */
    cpuRatio: number
    uptimeMs: number
  }
  /** What Sixpane wrote down of itself each minute, per step of the window, oldest first. */
  recorded: { series: Partial<Record<RecordedFigure, (number | null)[] | undefined>>; eventsHref: string }
  ingest: {
    eventsPerSecond: number
    accepted: number
    refused: number
    passedOver: number
    dropped: number
    diskBytes: number
    kept: number
    oldestMs: number | null
  }
}

export type RecordedFigure =
  | 'eventLoopDelayMs'
  | 'cpuRatio'
  | 'heapUsedBytes'
  | 'rssBytes'
  | 'accepted'
  | 'refused'
  | 'passedOver'
  | 'dropped'
  | 'diskBytes'
  | 'questionMs'

export type RequestFigures = {
  requests: number
  /** Of them, answered with a status of 500 or above. */
  errors: number
  /** Requests per second over the window. */
  rate: number
  errorRatio: number | null
  p50Ms: number | null
  p95Ms: number | null
  p99Ms: number | null
}

export type RouteRow = RequestFigures & {
  service: string
  method: string | null
  route: string | null
  eventsHref: string
  errorsHref: string
}

// -- Development -----------------------------------------------------------------------------------------

export type DevelopmentContent = {
  range: Range
  window: Window
  sort: 'newest' | 'frequent'
  /** Of which failures the list is. */
  state: FailureState | 'all'
  /** Failures with an occurrence in the window, by state. */
  states: Record<FailureState, number>
  /** The first fifty in the order of `sort`. */
  failures: FailureRow[]
  /** There are others beside them. */
  more: boolean
  selected: FailureDetail | null
  /** A failure or digest that was asked for and that no kept event has. */
  missing: { kind: 'failure' | 'digest'; value: string; kept: KeptEvents } | null
  connect: Snippet[]
  build: BuildContent
  /** Ways to fail on purpose, or `null` where the drill is off. */
  drill: { way: Drill; label: string; href: string }[] | null
}

export const drills = ['content', 'render', 'late', 'client'] as const
export type Drill = (typeof drills)[number]

/** Of whom and from when on events are kept: where to look when one is missed. */
export type KeptEvents = {
  /** The retention: how old events get, and how much of them there may be. */
  maxAgeMs: number
  maxBytes: number
  oldestMs: number | null
  /** Those that were heard of last, newest first, at most ten. */
  services: { service: string; lastSeenMs: number }[]
}

/** The forms of a failure, by what their field `form` says. */
export const failureForms = {
  resolve: 'resolve',
  mute: 'mute',
  reopen: 'reopen',
  addNote: 'add-note',
  removeNote: 'remove-note',
} as const

/** What somebody wrote about a failure. Nobody signs in, so it has no author. */
export type FailureNote = { id: string; writtenMs: number; text: string }

/** How many requests and users met a failure, as far as its occurrences name them. */
export type FailureReach = {
  occurrences: number
  /** Told apart by trace, else by request id. */
  requests: number
  withoutRequest: number
  /** Told apart by `user.id`, `enduser.id` or `userId`. */
  users: number
  withoutUser: number
}

export type FailureDetail = FailureRow & {
  /** Occurrences per day. */
  perDay: Markup
  reach: FailureReach
  /** Newest first. */
  notes: FailureNote[]
  /** What stands in the form of a new note, and in that of the release that it is resolved in. */
  noteForm: { text: string; problem: string | null }
  resolveForm: { release: string; problem: string | null }
  /** Releases of its services, newest first: none where they name none. */
  knownReleases: string[]
  /** The digest that was asked for: stack and occurrences are of events that have it. `null` where it was none. */
  ofDigest: string | null
  /** The frames of the latest occurrence, innermost first. */
  frames: Frame[]
  /** The stack of the latest occurrence, as it is kept. */
  stack: string | null
  /** The latest occurrences, newest first, at most twenty. */
  occurrences: EventRow[]
  /** The newest occurrence in full. */
  latest: LogEvent | null
  perRelease: { release: string | null; count: number; firstSeenMs: number; lastSeenMs: number }[]
}

export type Frame = {
  functionName: string | null
  file: string
  line: number | null
  column: number | null
  inApp: boolean
  /** Lines of source around the frame, where a source map holds them. */
  code: { firstLine: number; lines: string[] } | null
  /** Why a frame of a generated file is not mapped to its source; `null` for any other. */
  unmapped: Unmapped | null
}

/** Why a place of a generated file could not be led back to its source. */
export type Unmapped = {
  reason: UnmappedReason
  /** The event's. */
  service: string
  release: string | null
  /** What maps of the file were uploaded for instead, the newest first: other releases or other services. */
  candidates: string[]
  /** Where the maps lead that fit equally well, the newest first; only for `ambiguous`. */
  places: PossiblePlace[]
}

/** Where one of several maps leads. Lines and columns count from 1. */
export type PossiblePlace = {
  file: string
  line: number
  column: number
  /** As the upload of the map named it. */
  service: string | null
  /** The generated file, as the upload of the map named it. */
  path: string
  uploadedMs: number
}

export const unmappedReasons = [
  /** No map of this file was uploaded. */
  'missing',
  /** Maps of this file were uploaded for other releases only. */
  'wrong-release',
  /** The event names no release, and no debug id that leads to a map. */
  'no-release',
  /** The debug id of the event is not that of the release's map. */
  'other-build',
  /** Maps of this file were uploaded for other services only. */
  'wrong-service',
  /** Several maps fit equally well, and lead to different places. */
  'ambiguous',
  /** The map is there, and does not have the place: it is of another build. */
  'not-in-map',
  /** The map can't be read any more. */
  'broken',
  /** The stack says the line alone, and a generated line is any part of the source. */
  'no-column',
] as const
export type UnmappedReason = (typeof unmappedReasons)[number]

export type Snippet = {
  id: string
  title: string
  language: string
  code: string
  note: string
  /** As what its events come in; `null` for what sends none. */
  source: EventSource | null
}

/** The form that sends a test event by a way to connect, by what its field `form` says. */
export const connectForm = 'try'

export type BuildContent = {
  version: string
  build: string
  builtAtMs: number
  node: string
  chunks: { name: string; rawBytes: number; gzipBytes: number; brotliBytes: number }[]
  dependencies: { name: string; version: string }[]
}

// -- Settings --------------------------------------------------------------------------------------------

export type SettingsContent = {
  /** What the form shows: the kept preferences, or what was typed where it could not be kept. */
  values: Record<keyof FormPreferences, string>
  problems: Partial<Record<keyof FormPreferences, string>>
  /** What a form just did. */
  done: SettingsDone | null
  /** A secret that a form just made: shown this once. */
  made: { kind: 'token' | 'webhook'; name: string; secret: string } | null
  timeZones: string[]
  level: SettingField & { levels: string[] }
  retention: RetentionForm
  redaction: RedactionForm
  webhooks: WebhookRow[]
  webhookForm: WebhookForm
  /** The webhook that a test message was just sent to. */
  tested: string | null
  tokens: { id: string; name: string; createdMs: number }[]
  tokenForm: { name: string; problem: string | null }
  /** Whether a token is asked for at all: without a password everything is open. */
  isPasswordAsked: boolean
  /** The service's own settings by their variables: what holds, what it means, and where it can be changed. */
  server: {
    name: string
    value: string
    meaning: string
    part: SettingsPart | null
    /** What the environment says, where it was changed on the screen. */
    environment: string | null
  }[]
  redacted: string[]
}

/** A setting of the service that can be changed while it runs. */
export type SettingField = {
  /** What stands in the field: what holds, or what was typed where it could not be kept. */
  value: string
  problem: string | null
  /** What the environment says, as the field would hold it. */
  environment: string
  /** Whether it was changed here: that wins over the environment. */
  isChanged: boolean
}

export type RetentionForm = {
  days: SettingField
  gigabytes: SettingField
  kept: { events: number; diskBytes: number; oldestMs: number | null; damagedFiles: readonly string[] }
  /** Asked before a change that drops events: how many, and what is to be changed. */
  confirm: { dropped: number; days: string; gigabytes: string } | null
}

/** Paths stand one a line. */
export type RedactionForm = SettingField & {
  sample: string
  sampleProblem: string | null
  /** What would be kept of the sample. */
  tried: string | null
}

/** The forms of the screen, by what their field `form` says. */
export const settingsForms = {
  preferences: 'preferences',
  level: 'level',
  retention: 'retention',
  redaction: 'redaction',
  addWebhook: 'add-webhook',
  changeWebhook: 'change-webhook',
  testWebhook: 'test-webhook',
  removeWebhook: 'remove-webhook',
  makeToken: 'make-token',
  revokeToken: 'revoke-token',
} as const

export type WebhookRow = {
  id: string
  name: string
  /** Scheme and host: what follows is often the secret of the receiver. */
  origin: string
  conditions: WebhookConditions
  /** Its address stays as it is where none is typed. */
  form: WebhookForm
  /** The newest messages, newest first. */
  deliveries: DeliveryRow[]
}

/** What a webhook tells of. */
export type WebhookConditions = {
  newFailure: boolean
  returnedFailure: boolean
  /** Share of a service's requests that were answered with 5xx, 0 to 1, over the last minutes. */
  errorRatio: { above: number; overMinutes: number } | null
}

export type DeliveryRow = {
  id: string
  kind: 'new' | 'returned' | 'ratio' | 'test'
  createdMs: number
  attempts: number
  state: 'waiting' | 'delivered' | 'failed'
  /** HTTP status of the newest answer. */
  status: number | null
  /** Why it did not arrive. */
  problem: string | null
  /** When it is tried next. */
  nextMs: number | null
}

/** What stands in the form of a webhook; `on` and nothing for a box that is ticked and one that is not. */
export type WebhookForm = {
  values: Record<WebhookField, string>
  problems: Partial<Record<WebhookField, string>>
}
export type WebhookField = 'name' | 'url' | 'new' | 'returned' | 'ratio' | 'minutes'

// -- UI --------------------------------------------------------------------------------------------------

export type UiContent = {
  /** Charts over fixed figures, as the other screens draw them. */
  charts: { title: string; chart: Markup }[]
  events: EventRow[]
  open: LogEvent
  failure: FailureRow & Pick<FailureDetail, 'frames' | 'stack'>
  attributes: Attributes
  sources: EventSource[]
}
