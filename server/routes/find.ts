import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Found } from '../../shared/finding.ts'
import { paths } from '../../shared/paths.ts'
import { quoted } from '../../shared/query.ts'
import { resolveRange, type Span, spanMs } from '../../shared/range.ts'
import type { Context } from '../context.ts'
import type { Store } from '../store/store.ts'

/** Of what there may be more than anyone looks through, so many are offered. */
const mostServices = 200
const mostFailures = 200
const mostSaved = 200
const failureSpan: Span = '7d'
const longestMessage = 160

/**
 * `GET /find`: the services, failures and named views that the command palette leads to. It is asked once when the palette
 * opens, which then looks through them itself: typing asks nothing.
 */
const find: FastifyPluginAsync<{ context: Pick<Context, 'store'> }> = async (fastify, { context }) => {
  fastify.get(paths.find(), { exposeHeadRoute: false }, async (_request, reply): Promise<Found[]> => {
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    reply.header('cache-control', 'no-store')
    return (
      await Promise.all([
        savedViews(context.store),
        services(context.store, gone.signal),
        failures(context.store, gone.signal),
      ])
    ).flat()
  })
}

async function savedViews({ savedSearches }: Pick<Store, 'savedSearches'>): Promise<Found[]> {
  const saved = await savedSearches.list()
  return saved.slice(0, mostSaved).map(({ name, view }) => ({
    kind: 'saved',
    label: name,
    hint: '',
    also: '',
    href: paths.savedActivities(view),
  }))
}

/** Those that were heard of last, each with its log and its figures. */
async function services(store: Pick<Store, 'lastSeen'>, signal: AbortSignal): Promise<Found[]> {
  const seen = await store.lastSeen(signal)
  const names = seen.toSorted((a, b) => b.lastSeenMs - a.lastSeenMs).map(({ service }) => service)
  return [...new Set(names)].slice(0, mostServices).flatMap((service): Found[] => [
    {
      kind: 'service',
      label: service,
      hint: 'log',
      also: '',
      href: paths.activities({ q: `service:${quoted(service)}` }),
    },
    { kind: 'service', label: service, hint: 'figures', also: '', href: paths.dashboard({ service }) },
  ])
}

async function failures(store: Pick<Store, 'failures'>, signal: AbortSignal): Promise<Found[]> {
  const window = resolveRange({ span: failureSpan }, Date.now())
  const rows = await store.failures(
    {
      window,
      bucketMs: spanMs[failureSpan],
      sort: 'newest',
      state: null,
      service: null,
      limit: mostFailures,
    },
    signal,
  )
  return rows.map(({ fingerprint, type, message, digests, services }) => ({
    kind: 'failure',
    label: `${type}: ${message}`.slice(0, longestMessage),
    hint: services.join(', '),
    also: [fingerprint, ...digests].join(' '),
    href: paths.development({ failure: fingerprint }),
  }))
}

export default fastifyPlugin(find, { name: 'find', fastify: '5.x', dependencies: ['headers'] })
