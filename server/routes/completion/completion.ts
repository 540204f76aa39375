import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Completion } from '../../../shared/completion.ts'
import { parseRange } from '../../../shared/parse-range.ts'
import { paths } from '../../../shared/paths.ts'
import { preferencesOf } from '../../../shared/preferences.ts'
import type { Query } from '../../../shared/query.ts'
import { resolveRange } from '../../../shared/range.ts'
import { visibleStore } from '../../auth/visible-store.ts'
import type { Context } from '../../context.ts'
import { disconnectSignal } from '../../http/disconnect-signal.ts'
import { searchParamsOf } from '../../http/request-url.ts'
import { readAccess, userOf } from '../../http/route-access.ts'
import { routeDependencies } from '../../http/route-dependencies.ts'
import { mayTargetOwnEvents, withoutOwnEvents } from '../../query/own-events.ts'
import { parseQuery } from '../../query/parse.ts'
import { contextAt } from './cursor.ts'
import { completionOptions } from './options.ts'

const maxSearchLength = 4000

/** `GET /complete`: completes a search at the cursor with fields, attributes and existing values. */
const completion: FastifyPluginAsync<{ context: Pick<Context, 'store'> }> = async (fastify, { context }) => {
  fastify.get(
    paths.complete(),
    { exposeHeadRoute: false, config: { access: readAccess } },
    async (request, reply): Promise<Completion> => {
      const params = searchParamsOf(request)
      const text = (params.get('q') ?? '').slice(0, maxSearchLength)
      const at = /^\d{1,5}$/.test(params.get('at') ?? '') ? Number(params.get('at')) : text.length
      const cursor = contextAt(text, at)
      reply.header('cache-control', 'private, max-age=10')
      if (cursor === null) return { from: at, to: at, options: [] }
      const preferences = preferencesOf(request.cookies)
      const nowMs = Date.now()
      const window = resolveRange(parseRange(params, preferences, nowMs), nowMs)
      const store = visibleStore(context.store, userOf(request))
      const sampled = { window, query: shownEvents(text) }
      const options = await completionOptions(cursor, sampled, store, disconnectSignal(reply))
      return { from: cursor.from, to: cursor.to, options }
    },
  )
}

/** Selects the events from which to complete attributes: Sixpane's own events only if the search may show them. */
function shownEvents(search: string): Query {
  const parsed = parseQuery(search)
  const all: Query = { kind: 'all' }
  return 'query' in parsed && mayTargetOwnEvents(parsed.query) ? all : withoutOwnEvents(all)
}

export default fastifyPlugin(completion, {
  name: 'completion',
  fastify: '5.x',
  dependencies: [...routeDependencies, '@fastify/cookie'],
})
