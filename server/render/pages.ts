import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { loadView, type Views } from '../../client/screens/registry.tsx'
import { parsePreferences, preferencesCookie, serializePreferences } from '../../shared/preferences.ts'
import { type ScreenId, screenIds, screens } from '../../shared/screens.ts'
import type { Context } from '../context.ts'
import { splitUrl } from '../http/request-url.ts'
import { actionOf } from '../screens/index.ts'
import { type Drilled, drillOf, failContent } from './drill.ts'
import { sendFailure } from './fail.ts'
import { createKept } from './kept.ts'
import { sendLate } from './late.ts'
import { handleUnrouted, sendToScreen } from './not-found.ts'
import { type Asked, type Prepared, preparePage } from './page.ts'
import { html, sendOn, sendPage } from './send.ts'
import { visitOf } from './visit.ts'
import { type Rendered, renderWhole } from './whole.ts'

type Outcome = { kind: 'rendered'; rendered: Rendered } | Extract<Prepared, { kind: 'redirect' }>

/** A page shows all that others had committed when it was asked for, and of Sixpane's own events all but the last second. */
const keptForMs = 1000

/** The way of a page: request → content → HTML → encoding → visitor; and whatever throws on it → failure page. */
const pages: FastifyPluginAsync<{ context: Context }> = async (fastify, { context }) => {
  const views: Views = {}
  for (const id of screenIds) views[id] = await loadView[id]()
  const stage = { views, build: context.build }

  // Own events are committed with every request: counting them would keep nothing for longer than that.
  let changes = 0
  const stopCounting = context.events.onCommit(events => {
    if (events.some(event => event.source !== 'own')) changes += 1
  })
  fastify.addHook('onClose', async () => stopCounting())
  const kept = createKept<Outcome>({ version: () => changes, keptForMs, most: 100 })

  const make = async (asked: Asked, drill: Drilled): Promise<Outcome> => {
    if (drill === 'content') failContent()
    const prepared = await preparePage(asked, context)
    if (prepared.kind === 'redirect') return prepared
    const page = drill === 'client' ? { ...prepared.page, drill } : prepared.page
    return {
      kind: 'rendered',
      rendered: await renderWhole(page, prepared.status, stage, drill, asked.signal),
    }
  }

  const answer = async (asked: Asked, request: FastifyRequest, reply: FastifyReply) => {
    const drill = drillOf(asked.params, context.config.drill)
    if (drill === 'late') return await sendLate(asked, stage, request, reply, context)
    const isKept = drill === null && asked.form === null
    const outcome = await (isKept
      ? kept.get(keyOf(asked), signal => make({ ...asked, signal }, null), asked.signal)
      : make(asked, drill)
    ).finally(() => {
      // Whatever becomes of a form, what was drawn before may not show what it did.
      if (asked.form !== null) changes += 1
    })
    return outcome.kind === 'redirect'
      ? sendOn(outcome, request, reply)
      : sendPage(outcome.rendered, request, reply)
  }

  const handle = (screen: ScreenId) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { path, search } = splitUrl(request.raw.url ?? '')
    if (path !== screens[screen].path) return sendToScreen(screens[screen].path, search, reply)
    if (request.method === 'HEAD') return reply.header('cache-control', 'private, no-cache').type(html).send()
    const visit = visitOf(reply, context.config.renderDeadlineMs)
    try {
      return await answer(askedOf(screen, search, visit.signal, request), request, reply)
    } catch (thrown) {
      // Nobody is there to read a failure page, and leaving is no failure.
      if (visit.gone()) return reply.hijack()
      return await sendFailure(thrown, screens[screen].path, request, reply, context)
    } finally {
      visit.end()
    }
  }

  for (const id of screenIds) {
    fastify.get(screens[id].path, handle(id))
    if (actionOf[id] !== undefined) fastify.post(screens[id].path, { bodyLimit: 64 * 1024 }, handle(id))
  }
  handleUnrouted(fastify, stage, context)
}

function askedOf(
  screen: ScreenId,
  search: string | null,
  signal: AbortSignal,
  request: FastifyRequest,
): Asked {
  const { path } = screens[screen]
  return {
    screen,
    url: search === null ? path : `${path}?${search}`,
    form: request.method === 'POST' ? formOf(request.body) : null,
    params: new URLSearchParams(search ?? ''),
    preferences: parsePreferences(request.cookies[preferencesCookie]),
    nowMs: Date.now(),
    origin: `${request.protocol}://${request.host}`,
    signal,
  }
}

/** Equal requests: same screen, query, preferences and origin. */
function keyOf({ url, preferences, origin }: Asked): string {
  return `${url} ${serializePreferences(preferences)} ${origin}`
}

function formOf(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

export default fastifyPlugin(pages, {
  name: 'pages',
  fastify: '5.x',
  dependencies: ['headers', 'cross-site'],
})
