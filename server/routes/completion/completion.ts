import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Completion } from '../../../shared/completion.ts'
import { paths } from '../../../shared/paths.ts'
import { parsePreferences, preferencesCookie } from '../../../shared/preferences.ts'
import { parseRange, resolveRange } from '../../../shared/range.ts'
import type { Context } from '../../context.ts'
import { splitUrl } from '../../http/request-url.ts'
import { placeAt } from './cursor.ts'
import { optionsAt } from './options.ts'

const longestSearch = 4000

/** `GET /complete`: what may stand at a place of a search: fields, attributes, the values that there are. */
const completion: FastifyPluginAsync<{ context: Pick<Context, 'store'> }> = async (fastify, { context }) => {
  fastify.get(paths.complete(), { exposeHeadRoute: false }, async (request, reply): Promise<Completion> => {
    const params = new URLSearchParams(splitUrl(request.raw.url ?? '').search ?? '')
    const text = (params.get('q') ?? '').slice(0, longestSearch)
    const at = /^\d{1,5}$/.test(params.get('at') ?? '') ? Number(params.get('at')) : text.length
    const place = placeAt(text, at)
    reply.header('cache-control', 'private, max-age=10')
    if (place === null) return { from: at, to: at, options: [] }
    const preferences = parsePreferences(request.cookies[preferencesCookie])
    const window = resolveRange(parseRange(params, preferences.range), Date.now())
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const options = await optionsAt(place, window, context.store, gone.signal)
    return { from: place.from, to: place.to, options }
  })
}

export default fastifyPlugin(completion, { name: 'completion', fastify: '5.x', dependencies: ['headers'] })
