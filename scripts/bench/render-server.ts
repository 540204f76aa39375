/**
 * Runs Sixpane with cached dashboard queries, so that the benchmark measures only the work that the reference servers also
 * do: content, charts, rendering, compression and logging. Sixpane still stores events.
 */
import { fileURLToPath } from 'node:url'
import { readBuild } from '../../server/build.ts'
import { createHttpApp } from '../../server/http-app.ts'
import { readConfig } from '../../server/settings/config.ts'
import { startModules } from '../../server/start-modules.ts'
import type { Store } from '../../server/store/store.ts'

const modules = await startModules(
  readConfig(process.env),
  await readBuild(fileURLToPath(new URL('..', import.meta.url))),
)
const app = await createHttpApp({ ...modules.context, store: withCachedQueries(modules.context.store) })
process.stderr.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)

/** Caches the results of the dashboard queries and forwards everything else to the store. */
function withCachedQueries(store: Store): Store {
  const queries = new Set<PropertyKey>([
    'facets',
    'requestSeries',
    'routeMetrics',
    'stats',
  ] satisfies (keyof Store)[])
  const results = new Map<PropertyKey, unknown>()
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      if (!queries.has(name)) return method.bind(target)
      return (...args: unknown[]) => {
        if (!results.has(name)) results.set(name, Reflect.apply(method, target, args))
        return results.get(name)
      }
    },
  })
}
