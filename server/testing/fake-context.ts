import { pino } from 'pino'
import { defaultPreferences } from '../../shared/preferences.ts'
import { readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import type { ScreenRequest } from '../screens/screen.ts'
import { overlaid } from '../settings/values.ts'
import type { Store } from '../store/store.ts'

/** The clock of `fakeRequest`. */
export const testNowMs = Date.UTC(2026, 10, 21, 14, 3, 22, 123)

type Overrides = Partial<Omit<Context, 'store'>> & { store?: Partial<Store> }

/** A context over a store that keeps nothing, but for the answers that a test puts in its place. */
export function fakeContext({ store, ...overrides }: Overrides = {}): Context {
  const config = overrides.config ?? readConfig({})
  return {
    config,
    build: {
      version: '0.1.0',
      build: 'b1',
      builtAtMs: testNowMs,
      entry: 'entry.js',
      style: 'index.css',
      screens: {},
      shared: [],
      chunks: [],
      dependencies: [],
      assetsFolder: '/nowhere/assets',
      mapsFolder: '/nowhere/maps',
    },
    logger: pino({ enabled: false }),
    settings: {
      current: () => overlaid(config, {}),
      environment: overlaid(config, {}),
      changed: () => ({}),
      save: async () => {},
      onChange: () => {},
      stop: () => {},
    },
    store: { ...emptyStore, ...store },
    events: {
      accept: async () => {},
      offer: () => {},
      refuse: () => {},
      passOver: () => {},
      onCommit: () => () => {},
      counts: () => ({ accepted: 0, refused: 0, passedOver: 0, dropped: 0, perSecond: 0 }),
      close: async () => {},
    },
    normalise: () => {
      throw new Error('No screen normalises events')
    },
    failures: {
      describe: async () => ({
        digest: '0123456789',
        exception: { type: 'Error', message: '', stack: null },
      }),
      describeReported: async exception => ({ digest: '0123456789', exception }),
      fingerprint: () => '0123456789',
      frames: async () => [],
      identify: () => null,
    },
    sourceMaps: {
      add: async () => {
        throw new Error('No screen adds source maps')
      },
    },
    reidentify: { wake: async () => {} },
    process: {
      read: () => ({ eventLoopDelayMs: 0, heapUsedBytes: 0, rssBytes: 0, cpuRatio: 0, uptimeMs: 0 }),
      stop: () => {},
    },
    webhooks: { notify: async () => {}, test: async () => {}, stop: async () => {} },
    draining: new AbortController().signal,
    ...overrides,
  }
}

/** A visit of a screen with this query string, at `testNowMs`. */
export function fakeRequest(query = '', overrides: Partial<ScreenRequest> = {}): ScreenRequest {
  return {
    params: new URLSearchParams(query),
    preferences: defaultPreferences,
    nowMs: testNowMs,
    origin: 'http://console.example',
    signal: new AbortController().signal,
    ...overrides,
  }
}

const none = { failures: 0, occurrences: 0 }

const emptyStore: Store = {
  append: async () => [],
  requestKeys: async () => [],
  events: async () => ({ events: [], older: null, newer: null }),
  wholeEvents: async () => ({ events: [], older: null, newer: null }),
  cursorOf: ({ id }) => String(id),
  acceptedMs: () => testNowMs,
  event: async () => null,
  since: async () => ({ events: [], missed: 0, lastId: 0 }),
  histogram: async () => [],
  facets: async (_filter, fields) => fields.map(field => ({ field, values: [] })),
  services: async () => [],
  lastSeen: async () => [],
  requestSeries: async () => [],
  requestMetrics: async () => ({ requests: 0, errors: 0, p50Ms: null, p95Ms: null, p99Ms: null }),
  routeMetrics: async () => [],
  latency: async () => [],
  webVitals: async () => [],
  attributeSeries: async (_filter, series) => series.map(() => []),
  failures: async () => [],
  failureCounts: async () => ({ open: none, resolved: none, muted: none }),
  failure: async () => null,
  failureReleases: async () => [],
  failureReach: async () => ({ occurrences: 0, requests: 0, withoutRequest: 0, users: 0, withoutUser: 0 }),
  releaseStarts: async () => [],
  releases: async () => [],
  fingerprintOfDigest: async () => null,
  storedStacks: async () => [],
  regroup: async () => 0,
  check: async () => {},
  stats: async () => ({
    events: 0,
    diskBytes: 0,
    oldestMs: null,
    damagedFiles: [],
    queries: 0,
    queriesMs: 0,
  }),
  failureStates: {
    init: async () => {},
    scan: async () => ({ occurrences: [], lastId: 0, isEnd: true }),
    commit: async () => {},
    markKnown: async () => {},
    resolve: async () => {},
    setState: async () => {},
    move: async () => {},
    movedTo: async () => null,
    notes: async () => [],
    addNote: async () => {},
    removeNote: async () => {},
  },
  savedSearches: { list: async () => [], save: async () => {}, remove: async () => {} },
  sourceMaps: {
    list: async () => [],
    put: async () => true,
    read: async () => null,
    applied: async () => {},
  },
  webhooks: {
    list: async () => [],
    add: async () => {},
    change: async () => {},
    remove: async () => {},
    enqueue: async deliveries => deliveries.length,
    due: async () => [],
    nextDueMs: async () => null,
    note: async () => {},
    deliveries: async () => [],
    forget: async () => {},
  },
  tokens: {
    list: async () => [],
    add: async () => {},
    remove: async () => {},
    has: async () => false,
  },
  settings: { list: async () => [], save: async () => {} },
  retain: async () => 0,
  pastRetention: async () => 0,
  close: async () => {},
}
