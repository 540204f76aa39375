import { atLeast, atMost, type Goal, ratioAtLeast, ratioAtMost } from './goal.ts'

export type Metric = { title: string; unit: string; goal?: Goal }

const rate = 'requests/s'

/** The rows of the table, in order. A ratio goal refers to the first reference. */
export const metrics = {
  dashboardSize: { title: '`/dashboard`, first HTML', unit: 'KB', goal: atMost(90) },
  dashboardElements: { title: '`/dashboard`, elements', unit: 'elements', goal: atMost(1500) },
  uiSize: { title: '`/ui`', unit: 'KB', goal: atMost(90) },
  activitiesSize: { title: '`/activities`, with 100 rows', unit: 'KB', goal: atMost(90) },
  developmentSize: { title: '`/development`', unit: 'KB', goal: atMost(90) },

  readyToNextServer: {
    title: 'dashboard from prepared content, a different view per visitor',
    unit: rate,
    goal: ratioAtLeast(6),
  },
  readyToNextClient: {
    title: 'dashboard from prepared content, a different view per visitor',
    unit: rate,
    goal: ratioAtLeast(4),
  },
  readyToOthers: { title: 'dashboard from prepared content, a different view per visitor', unit: rate },
  queried: {
    title: 'dashboard from queried content, a different view per visitor',
    unit: rate,
    goal: ratioAtLeast(2),
  },
  committing: {
    title: 'dashboard, one view for all, a commit every 5 ms',
    unit: rate,
    goal: ratioAtLeast(12),
  },
  committingRenders: { title: 'renders during these requests', unit: 'renders/s' },
  unchanged: { title: 'unchanged dashboard', unit: rate, goal: ratioAtLeast(0.9) },
  dashboardCpu: { title: 'CPU of one dashboard, all threads, 50,000 events', unit: 'ms', goal: atMost(6) },

  home: { title: '`/`', unit: 'ms', goal: atMost(30) },
  dashboardHour: { title: '`/dashboard`, 1 h', unit: 'ms', goal: atMost(30) },
  dashboardDay: { title: '`/dashboard`, 24 h', unit: 'ms', goal: atMost(50) },
  dashboardWeek: { title: '`/dashboard`, 7 d', unit: 'ms', goal: atMost(100) },
  development: { title: '`/development`', unit: 'ms', goal: atMost(40) },
  developmentDigest: { title: '`/development?digest=…`', unit: 'ms', goal: atMost(60) },
  missingTextDay: { title: 'text that occurs nowhere, 24 h', unit: 'ms', goal: atMost(50) },
  missingTextWeek: { title: 'text that occurs nowhere, 7 d', unit: 'ms', goal: atMost(100) },
  phrase: { title: 'phrase, 7 d', unit: 'ms', goal: atMost(150) },
  attribute: { title: 'attribute and severity, 7 d', unit: 'ms', goal: atMost(200) },
  requestId: { title: 'request ID, 7 d', unit: 'ms', goal: atMost(40) },

  dashboardGrowth: { title: '`/dashboard`, 7 d, ten times the events', unit: 'ms', goal: ratioAtMost(1.5) },
  logGrowth: { title: '`/activities`, 7 d, ten times the events', unit: 'ms', goal: ratioAtMost(2) },
  dashboardLargest: { title: '`/dashboard`, 7 d, largest store', unit: 'ms', goal: ratioAtMost(1.5) },
  logLargest: { title: '`/activities`, 7 d, largest store', unit: 'ms', goal: ratioAtMost(2) },

  ingest: { title: 'NDJSON acknowledged on disk', unit: 'lines/s', goal: atLeast(100_000) },
  ingestCpu: { title: 'CPU per line, all threads', unit: 'µs', goal: atMost(14) },

  memoryAfterStart: { title: 'resident memory after start', unit: 'MB', goal: atMost(150) },
  memoryAfterScreens: { title: 'resident memory after all screens', unit: 'MB', goal: atMost(450) },
  memoryAfterIngest: { title: 'resident memory after ingest', unit: 'MB', goal: atMost(300) },
  ready: { title: 'start to `/readyz`', unit: 'ms', goal: atMost(500) },

  clickHouseIngest: { title: 'ClickHouse: events stored, in batches of 10,000', unit: 'events/s' },
  clickHouseBytes: { title: 'ClickHouse: disk space per event', unit: 'bytes' },
  clickHouseHome: { title: 'ClickHouse: `/`', unit: 'ms', goal: atMost(30) },
  clickHouseDashboardHour: { title: 'ClickHouse: `/dashboard`, 1 h', unit: 'ms', goal: atMost(30) },
  clickHouseDashboardDay: { title: 'ClickHouse: `/dashboard`, 24 h', unit: 'ms', goal: atMost(50) },
  clickHouseDashboardWeek: { title: 'ClickHouse: `/dashboard`, 7 d', unit: 'ms', goal: atMost(100) },
  clickHouseDevelopment: { title: 'ClickHouse: `/development`', unit: 'ms', goal: atMost(40) },
  clickHouseDigest: { title: 'ClickHouse: `/development?digest=…`', unit: 'ms', goal: atMost(60) },
  clickHouseMissingTextDay: {
    title: 'ClickHouse: text that occurs nowhere, 24 h',
    unit: 'ms',
    goal: atMost(50),
  },
  clickHouseMissingTextWeek: {
    title: 'ClickHouse: text that occurs nowhere, 7 d',
    unit: 'ms',
    goal: atMost(100),
  },
  clickHousePhrase: { title: 'ClickHouse: phrase, 7 d', unit: 'ms', goal: atMost(150) },
  clickHouseAttribute: { title: 'ClickHouse: attribute and severity, 7 d', unit: 'ms', goal: atMost(200) },
  clickHouseRequestId: { title: 'ClickHouse: request ID, 7 d', unit: 'ms', goal: atMost(40) },
} as const satisfies Record<string, Metric>

export type MetricId = keyof typeof metrics
