import type { EventQueries, Store } from '../store/store.ts'
import type { Tracing } from './tracing.ts'

/** Returns a store whose queries run in spans. */
export function traceStore(store: Store, tracing: Pick<Tracing, 'span'>): Store {
  const names: ReadonlySet<PropertyKey> = new Set(Object.keys(store.limitedTo([])))
  const withSpans = <Queries extends EventQueries>(queries: Queries): Queries =>
    new Proxy(queries, {
      get(target, name, receiver) {
        const value: unknown = Reflect.get(target, name, receiver)
        if (typeof value !== 'function' || !names.has(name)) return value
        return (...parameters: unknown[]) =>
          tracing.span(`store ${String(name)}`, async () => Reflect.apply(value, target, parameters))
      },
    })
  return withSpans({ ...store, limitedTo: services => withSpans(store.limitedTo(services)) })
}
