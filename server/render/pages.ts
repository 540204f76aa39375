import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { loadViews } from '../../client/screens/registry.tsx'
import { type ScreenId, screenIds, screens } from '../../shared/screens.ts'
import { visibleFailures } from '../auth/visible-failures.ts'
import { visibleStore } from '../auth/visible-store.ts'
import type { Context } from '../context.ts'
import { disconnectSignal } from '../http/disconnect-signal.ts'
import { htmlType } from '../http/html-response.ts'
import { splitUrl } from '../http/request-url.ts'
import { readAccess, requireRole, userOf } from '../http/route-access.ts'
import { routeDependencies } from '../http/route-dependencies.ts'
import { screenPages } from '../screens/index.ts'
import type { Redirect } from '../screens/screen.ts'
import { BusyError } from './admission.ts'
import { type RenderedPage, renderBuffered } from './buffered.tsx'
import { sendBusy } from './busy.ts'
import { withDeadline } from './deadline.ts'
import { type RequestedDrill, requestedDrill, throwInContent } from './drill.ts'
import { sendFailure } from './fail.ts'
import { handleUnrouted, redirectToScreen } from './not-found.ts'
import { createPageLanes } from './page-lanes.ts'
import { cacheKeyOf, formOf, type PageRequest, readPageRequest } from './page-request.ts'
import { preparePage } from './prepare.ts'
import { createResponseCache } from './response-cache.ts'
import { pageHeaders, sendPage, sendRedirect } from './send.ts'
import { sendStreamed } from './streamed.tsx'

type Outcome = { kind: 'rendered'; rendered: RenderedPage } | Redirect

/**
 * A cached page includes every event that was committed before the request, except Sixpane's own events from the last
 * second.
 */
const cacheMaxAgeMs = 1000
const cacheMaxEntries = 100
const formMaxBytes = 64 * 1024

/** request → cache → admit → prepare → render → encode and send. An exception at any step results in the failure page. */
const pages: FastifyPluginAsync<{ context: Context }> = async (fastify, { context }) => {
  const env = { views: await loadViews(), build: context.build }

  // Sixpane's own events are not counted, because each request logs one, which would invalidate all pages.
  let changes = 0
  const countChange = () => {
    changes += 1
  }
  const { replicas } = context.store
  const stopListening = [
    context.events.onCommit(events => {
      if (events.some(({ source }) => source !== 'own')) countChange()
    }),
    replicas.onEvents(countChange),
    replicas.onState(countChange),
  ]
  fastify.addHook('onClose', async () => {
    for (const stop of stopListening) stop()
  })

  const { tracing } = context
  const { renderDeadlineMs } = context.config
  const prepare = (page: PageRequest) =>
    preparePage(page, {
      ...context,
      store: visibleStore(context.store, page.user),
      failures: visibleFailures(context.failures, page.user),
    })

  const prepareAndRender = (page: PageRequest, drill: RequestedDrill): Promise<Outcome> =>
    withDeadline(page.signal, renderDeadlineMs, async signal => {
      if (drill === 'content') throwInContent()
      const prepared = await tracing.span('prepare', () => prepare({ ...page, signal }))
      if (prepared.kind === 'redirect') return prepared
      signal.throwIfAborted()
      const shown = drill === 'client' ? { ...prepared.page, drill } : prepared.page
      const render = async () => renderBuffered(shown, prepared.status, env, drill)
      return { kind: 'rendered', rendered: await tracing.span('render', render) }
    })

  const admit = createPageLanes()
  const cache = createResponseCache<PageRequest, Outcome>({
    respond: (page, signal) => admit(page, signal, () => prepareAndRender({ ...page, signal }, null)),
    version: () => changes + context.sourceMaps.version(),
    maxAgeMs: cacheMaxAgeMs,
    maxEntries: cacheMaxEntries,
  })

  const respond = async (
    screen: ScreenId,
    search: string | null,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const read = () => readPageRequest(screen, search, disconnectSignal(reply), request)
    const drill = requestedDrill(search, context.config.drill)
    const isForm = request.method === 'POST'
    // The visitor's previous request may have changed something on another replica.
    await replicas.refresh()
    if (drill === 'late') {
      const page = read()
      return await withDeadline(page.signal, renderDeadlineMs, async signal => {
        const prepared = await prepare({ ...page, signal })
        return prepared.kind === 'redirect'
          ? sendRedirect(prepared, reply)
          : await sendStreamed(prepared.page, prepared.status, env, signal, reply, context)
      })
    }
    const outcome =
      drill === null && !isForm
        ? await cache.get(cacheKeyOf(screen, search, request), read)
        : await prepareAndRender(read(), drill).finally(() => {
            // Invalidates pages rendered before the form was submitted. Even a form that failed may have changed something.
            if (isForm) countChange()
          })
    return outcome.kind === 'redirect' ? sendRedirect(outcome, reply) : sendPage(outcome.rendered, reply)
  }

  const handle = (screen: ScreenId) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { path, search } = splitUrl(request.raw.url ?? '')
    if (path !== screens[screen].path) return redirectToScreen(screens[screen].path, search, reply)
    if (request.method === 'POST')
      requireRole(userOf(request), screenPages[screen].roleOf(formOf(request.body)))
    try {
      return await respond(screen, search, request, reply)
    } catch (thrown) {
      // A disconnect is not a failure, and nobody would receive a page.
      if (reply.raw.destroyed) return reply.hijack()
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
