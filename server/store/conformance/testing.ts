import type { Test } from 'tap'
import type { LogEvent, NewEvent } from '../../../shared/event.ts'
import type { Query } from '../../../shared/query.ts'
import type { Store } from '../store.ts'

/** A location for one store, initially empty. The store can be reopened. */
export type StoreLocation = { open(options?: { nowMs?: () => number }): Promise<Store> }
export type MakeLocation = (t: Test) => StoreLocation

/** Opens a store in a new location, and closes it when the test ends. */
export async function openStore(t: Test, make: MakeLocation, nowMs?: () => number): Promise<Store> {
  const store = await make(t).open(nowMs === undefined ? {} : { nowMs })
  t.teardown(() => store.close())
  return store
}

/** The current time in the tests. */
export const noonMs = Date.UTC(2026, 10, 21, 12)
export const testWindow = { fromMs: noonMs - 3_600_000, toMs: noonMs + 3_600_000 }
/** Finds all failures in `testWindow`. */
export const allFailures = {
  window: testWindow,
  bucketMs: 3_600_000,
  sort: 'newest',
  state: null,
  service: null,
  text: null,
  limit: 10,
} as const
export const allEvents: Query = { kind: 'all' }

export function anEvent(overrides: Partial<NewEvent> = {}): NewEvent {
  return {
    timeMs: noonMs,
    severity: 'info',
    service: 'shop',
    release: null,
    source: 'ndjson',
    body: 'Basket opened',
    requestId: null,
    traceId: null,
    spanId: null,
    method: null,
    route: null,
    status: null,
    durationMs: null,
    exception: null,
    digest: null,
    fingerprint: null,
    attributes: {},
    ...overrides,
  }
}

/** Returns the messages of the matching events in `testWindow`, oldest first. */
export async function findMessages(store: Store, query: Query): Promise<string[]> {
  const { events } = await store.events({ window: testWindow, query, limit: 1000 })
  return events.map(({ body }) => body).reverse()
}

export function withoutId({ id: _, ...event }: LogEvent): NewEvent {
  return event
}
