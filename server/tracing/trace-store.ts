import type { EventQueries, Store } from '../store/store.ts'
import type { Tracing } from './tracing.ts'

const queryNames: ReadonlySet<PropertyKey> = new Set<keyof EventQueries>([
  'events',
  'wholeEvents',
  'event',
  'since',
  'histogram',
  'facets',
  'counts',
  'services',
  'lastSeen',
  'requestSeries',
  'routeMetrics',
  'webVitals',
  'sessions',
  'attributeSeries',
  'releaseStarts',
  'releases',
  'failures',
  'failureCounts',
  'failure',
  'failureReleases',
  'failureImpact',
  'failuresOfDigest',
])

/** Returns a store whose queries run in spans. */
export function traceStore(store: Store, tracing: Pick<Tracing, 'span'>): Store {
  const limitedTo: Store['limitedTo'] = services => withSpans(store.limitedTo(services), tracing)
  return withSpans({ ...store, limitedTo }, tracing)
}

function withSpans<Queries extends EventQueries>(queries: Queries, tracing: Pick<Tracing, 'span'>): Queries {
  return new Proxy(queries, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value !== 'function' || !queryNames.has(name)) return value
      return (...parameters: unknown[]) =>
        tracing.span(`store ${String(name)}`, async () => Reflect.apply(value, target, parameters))
    },
  })
}
