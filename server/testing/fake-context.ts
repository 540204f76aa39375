import { pino } from 'pino'
import { defaultPreferences } from '../../shared/preferences.ts'
import type { Context } from '../context.ts'
import { createRequestMemory } from '../http/request-memory.ts'
import type { ScreenRequest } from '../screens/screen.ts'
import { readConfig } from '../settings/config.ts'
import { withOverrides } from '../settings/runtime-settings.ts'
import { openMemoryStore } from '../store/memory/store.ts'
import type { Store } from '../store/store.ts'
import { passOnTraces } from '../tracing/tracing.ts'

/** The time of every `fakeRequest`. */
export const testNowMs = Date.UTC(2026, 10, 21, 14, 3, 22, 123)

type Overrides = Partial<Omit<Context, 'store'>> & { store?: Partial<Store> }

/** A context with an empty in-memory store. Tests can override individual store operations. */
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
      fonts: [],
      screens: {},
      shared: [],
      chunks: [],
      serverFiles: [],
      dependencies: [],
      assetsFolder: '/nowhere/assets',
      mapsFolder: '/nowhere/maps',
    },
    logger: pino({ enabled: false }),
    settings: {
      current: () => withOverrides(config, {}),
      environment: withOverrides(config, {}),
      changed: () => ({}),
      save: async () => {},
      onChange: () => {},
    },
    store: { ...openMemoryStore({ nowMs: () => testNowMs }), ...store },
    events: {
      accept: async () => {},
      enqueueBestEffort: () => {},
      countRejected: () => {},
      countIgnored: () => {},
      onCommit: () => () => {},
      counts: () => ({ accepted: 0, rejected: 0, ignored: {}, dropped: 0, perSecond: 0 }),
      close: async () => {},
    },
    memory: createRequestMemory(),
    normalise: () => {
      throw new Error('Screens must not normalise events')
    },
    failures: {
      describe: async () => ({
        digest: '0123456789',
        exception: { type: 'Error', message: '', stack: null },
      }),
      describeReported: async exception => ({ digest: '0123456789', exception }),
      fingerprint: () => '0123456789',
      frames: async () => [],
      limitedTo: () => ({ frames: async () => [] }),
      fingerprintEvents: () => null,
    },
    failureMonitor: { scan: async () => {} },
    sourceMaps: {
      version: () => 0,
      add: async () => {
        throw new Error('Screens must not add source maps')
      },
    },
    regrouping: { wake: async () => {} },
    process: {
      read: () => ({ eventLoopDelayMs: 0, heapUsedBytes: 0, rssBytes: 0, cpuRatio: 0, uptimeMs: 0 }),
      stop: () => {},
    },
    notifications: { notify: async () => {}, test: async () => {}, stop: async () => {} },
    tracing: passOnTraces(),
    backup: async () => 0,
    audit: { record: async () => {}, list: async () => [] },
    draining: new AbortController().signal,
    ...overrides,
  }
}

/** Creates a screen request with this query string, at `testNowMs`. */
export function fakeRequest(query = '', overrides: Partial<ScreenRequest> = {}): ScreenRequest {
  return {
    params: new URLSearchParams(query),
    preferences: defaultPreferences,
    nowMs: testNowMs,
    user: { name: null, role: 'admin', services: null },
    origin: 'http://console.example',
    signal: new AbortController().signal,
    ...overrides,
  }
}
