import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { ownService } from '../../shared/event.ts'
import type { PaletteEntry } from '../../shared/palette-entry.ts'
import { paths } from '../../shared/paths.ts'
import { quoted } from '../../shared/query.ts'
import { resolveRange, type Span, spanLengthMs } from '../../shared/range.ts'
import { visibleStore } from '../auth/visible-store.ts'
import type { Context } from '../context.ts'
import { disconnectSignal } from '../http/disconnect-signal.ts'
import { readAccess, userOf } from '../http/route-access.ts'
import { routeDependencies } from '../http/route-dependencies.ts'
import type { Store } from '../store/store.ts'

const maxServices = 200
const maxFailures = 200
const maxSavedSearches = 200
const failureSpan: Span = '7d'
const maxMessageLength = 160

/**
 * `GET /find`: returns the services, failures and saved searches for the command palette. The palette requests them only when
 * it opens, and does the filtering itself, so typing sends no requests.
 */
const find: FastifyPluginAsync<{ context: Pick<Context, 'store'> }> = async (fastify, { context }) => {
  fastify.get(
    paths.find(),
    { exposeHeadRoute: false, config: { access: readAccess } },
    async (request, reply): Promise<PaletteEntry[]> => {
      const store = visibleStore(context.store, userOf(request))
      const signal = disconnectSignal(reply)
      reply.header('cache-control', 'no-store')
      return (
        await Promise.all([
          savedSearchEntries(store),
          serviceEntries(store, signal),
          failureEntries(store, signal),
        ])
      ).flat()
    },
  )
}

async function savedSearchEntries({ savedSearches }: Pick<Store, 'savedSearches'>): Promise<PaletteEntry[]> {
  const saved = await savedSearches.list()
  return saved.slice(0, maxSavedSearches).map(({ name, view }) => ({
    kind: 'saved',
    label: name,
    hint: '',
    searchText: '',
    href: paths.savedActivities(view),
  }))
}

/** Returns the most recently seen services, and Sixpane itself last, each with a link to its log and one to its metrics. */
async function serviceEntries(
  store: Pick<Store, 'seenSources'>,
  signal: AbortSignal,
): Promise<PaletteEntry[]> {
  const seen = await store.seenSources(signal)
  const names = seen.toSorted((a, b) => b.lastSeenMs - a.lastSeenMs).map(({ service }) => service)
  const others = [...new Set(names)].filter(name => name !== ownService).slice(0, maxServices)
  const own = names.includes(ownService) ? [ownService] : []
  return [...others, ...own].flatMap((service): PaletteEntry[] => [
    {
      kind: 'service',
      label: service,
      hint: 'log',
      searchText: '',
      href: paths.activities({ q: `service:${quoted(service)}` }),
    },
    { kind: 'service', label: service, hint: 'metrics', searchText: '', href: paths.dashboard({ service }) },
  ])
}

async function failureEntries(store: Pick<Store, 'failures'>, signal: AbortSignal): Promise<PaletteEntry[]> {
  const window = resolveRange({ span: failureSpan }, Date.now())
  const { failures } = await store.failures(
    {
      window,
      bucketMs: spanLengthMs(failureSpan),
      sort: 'newest',
      state: null,
      service: null,
      text: null,
      limit: maxFailures,
    },
    signal,
  )
  return failures.map(({ id, type, message, digests, services }) => ({
    kind: 'failure',
    label: `${type}: ${message}`.slice(0, maxMessageLength),
    hint: services.join(', '),
    searchText: [id, ...digests].join(' '),
    href: paths.development({ failure: id }),
  }))
}

export default fastifyPlugin(find, { name: 'find', fastify: '5.x', dependencies: routeDependencies })
