/**
 * Sixpane with a store that gives the dashboard each answer it gave before: what is left of a page is everything
 * but the query (content, charts, render, encoding, log line), as the references have it. Events are stored as
 * ever, and count as commits.
 */
import { fileURLToPath } from 'node:url'
import { createApp } from '../../server/app.ts'
import { readBuild } from '../../server/build.ts'
import { readConfig } from '../../server/config.ts'
import { openSixpane } from '../../server/sixpane.ts'
import type { Store } from '../../server/store/store.ts'

const sixpane = await openSixpane(
  readConfig(process.env),
  await readBuild(fileURLToPath(new URL('..', import.meta.url))),
)
const app = await createApp({ ...sixpane.context, store: remembering(sixpane.context.store) })
process.stderr.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)

/** Remembers what the dashboard asks; everything else goes to the store. */
function remembering(store: Store): Store {
  const questions = new Set<PropertyKey>([
    'facets',
    'requestMetrics',
    'requestSeries',
    'routeMetrics',
    'stats',
  ] satisfies (keyof Store)[])
  const answers = new Map<PropertyKey, unknown>()
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      if (!questions.has(name)) return method.bind(target)
      return (...args: unknown[]) => {
        if (!answers.has(name)) answers.set(name, Reflect.apply(method, target, args))
        return answers.get(name)
      }
    },
  })
}
