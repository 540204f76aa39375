import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { loadViews } from '../../client/screens/registry.tsx'
import { type ScreenId, screenIds, screens } from '../../shared/screens.ts'
import type { Context } from '../context.ts'
import { hasDisconnected } from '../http/disconnect-signal.ts'
import { htmlType } from '../http/html-response.ts'
import { splitUrl } from '../http/request-url.ts'
import { readAccess, requireRole, userOf } from '../http/route-access.ts'
import { routeDependencies } from '../http/route-dependencies.ts'
import { screenPages } from '../screens/index.ts'
import { BusyError } from './admission.ts'
import { sendBusy } from './busy.ts'
import { sendFailure } from './fail.ts'
import { handleUnrouted, redirectToScreen } from './not-found.ts'
import { countPageChanges } from './page-changes.ts'
import { formOf } from './page-request.ts'
import { createPageResponder } from './page-responder.ts'
import { pageHeaders } from './send.ts'

const formMaxBytes = 64 * 1024

/**
 * request → cache → admit → prepare → render → encode and send. An exception at any step results in the failure page, except
 * that a BusyError results in the busy page.
 */
const pages: FastifyPluginAsync<{ context: Context }> = async (fastify, { context }) => {
  const env = { views: await loadViews(), build: context.build }
  const changes = countPageChanges(context)
  fastify.addHook('onClose', async () => changes.stop())
  const respond = createPageResponder(env, context, changes)

  const handle = (screen: ScreenId) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { path, search } = splitUrl(request.raw.url ?? '')
    if (path !== screens[screen].path) return redirectToScreen(screens[screen].path, search, reply)
    if (request.method === 'POST')
      requireRole(userOf(request), screenPages[screen].roleOf(formOf(request.body)))
    try {
      return await respond(screen, search, request, reply)
    } catch (thrown) {
      // A disconnect is not a failure, and nobody would receive a page.
      if (hasDisconnected(request)) return reply.hijack()
      if (thrown instanceof BusyError) return sendBusy(reply)
      return await sendFailure(thrown, { kind: 'screen', route: screens[screen].path }, reply, context)
    }
  }

  /** Renders nothing, so it sends no `Content-Length`. Fastify's default HEAD routes would send 0. */
  const handleHead = (screen: ScreenId) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { path, search } = splitUrl(request.raw.url ?? '')
    if (path !== screens[screen].path) return redirectToScreen(screens[screen].path, search, reply)
    return reply.headers(pageHeaders).type(htmlType).send()
  }

  for (const id of screenIds) {
    const config = { access: readAccess }
    fastify.get(screens[id].path, { exposeHeadRoute: false, config }, handle(id))
    fastify.head(screens[id].path, { config }, handleHead(id))
    if (screenPages[id].post !== undefined) {
      // Every form also declares the role that it needs.
      fastify.post(
        screens[id].path,
        { bodyLimit: formMaxBytes, config: { access: { role: 'viewer' } } },
        handle(id),
      )
    }
  }
  handleUnrouted(fastify, env, context)
}

export default fastifyPlugin(pages, {
  name: 'pages',
  fastify: '5.x',
  dependencies: [...routeDependencies, '@fastify/cookie'],
})
