import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ScreenId } from '../../shared/screens.ts'
import { visibleFailures } from '../auth/visible-failures.ts'
import { visibleStore } from '../auth/visible-store.ts'
import type { Context } from '../context.ts'
import { disconnectSignal } from '../http/disconnect-signal.ts'
import type { Redirect } from '../screens/screen.ts'
import { type RenderedPage, renderBuffered } from './buffered.tsx'
import { withDeadline } from './deadline.ts'
import { type RequestedDrill, requestedDrill, throwInContent } from './drill.ts'
import type { PageChanges } from './page-changes.ts'
import { createPageLanes } from './page-lanes.ts'
import { cacheKeyOf, type PageRequest, readPageRequest } from './page-request.ts'
import type { RenderEnv } from './page-tree.tsx'
import { preparePage } from './prepare.ts'
import { createResponseCache } from './response-cache.ts'
import { sendPage, sendRedirect } from './send.ts'
import { sendStreamed } from './streamed.tsx'

/**
 * Responds to a GET request or a submitted form.
 * @param search the query string without `?`; `null` if the URL has none
 * @throws BusyError if the server is overloaded; an error if the visitor disconnects; the error of any step
 */
export type RespondWithPage = (
  screen: ScreenId,
  search: string | null,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>

type Outcome = { kind: 'rendered'; rendered: RenderedPage } | Redirect

/**
 * The maximum age of a cached page. Changes invalidate cached pages immediately, except for Sixpane's own events, which may
 * be missing from a page for this long.
 */
const cacheMaxAgeMs = 1000
const cacheMaxEntries = 100

export function createPageResponder(
  env: RenderEnv,
  context: Context,
  changes: Pick<PageChanges, 'count' | 'add'>,
): RespondWithPage {
  const { renderDeadlineMs } = context.config
  const admit = createPageLanes()
  const cache = createResponseCache<PageRequest, Outcome>({
    respond: (page, signal) =>
      admit(page, signal, () => prepareAndRender({ ...page, signal }, null, env, context)),
    version: () => changes.count() + context.sourceMaps.version(),
    maxAgeMs: cacheMaxAgeMs,
    maxEntries: cacheMaxEntries,
  })

  return async (screen, search, request, reply) => {
    const read = () => readPageRequest(screen, search, disconnectSignal(reply), request)
    const drill = requestedDrill(search, context.config.drill)
    const isForm = request.method === 'POST'
    // The visitor's previous request may have changed something on another replica.
    await context.store.replicas.refresh()
    if (drill === 'late') {
      const page = read()
      return await withDeadline(page.signal, renderDeadlineMs, async signal => {
        const prepared = await prepareVisible({ ...page, signal }, context)
        return prepared.kind === 'redirect'
          ? sendRedirect(prepared, reply)
          : await sendStreamed(prepared.page, prepared.status, env, signal, reply, context)
      })
    }
    const outcome =
      drill === null && !isForm
        ? await cache.get(cacheKeyOf(screen, search, request), read)
        : await prepareAndRender(read(), drill, env, context).finally(() => {
            // Invalidates pages rendered before the form was submitted. Even a form that failed may have changed something.
            if (isForm) changes.add()
          })
    return outcome.kind === 'redirect' ? sendRedirect(outcome, reply) : sendPage(outcome.rendered, reply)
  }
}

function prepareAndRender(
  page: PageRequest,
  drill: RequestedDrill,
  env: RenderEnv,
  context: Context,
): Promise<Outcome> {
  const { tracing, config } = context
  return withDeadline(page.signal, config.renderDeadlineMs, async signal => {
    if (drill === 'content') throwInContent()
    const prepared = await tracing.span('prepare', () => prepareVisible({ ...page, signal }, context))
    if (prepared.kind === 'redirect') return prepared
    signal.throwIfAborted()
    const shown = drill === 'client' ? { ...prepared.page, drill } : prepared.page
    const render = async () => renderBuffered(shown, prepared.status, env, drill)
    return { kind: 'rendered', rendered: await tracing.span('render', render) }
  })
}

/**
 * Prepares a page that contains only what its visitor may see. Reads the time only now, because the page may have waited for
 * its turn, and contains the events up to this time.
 */
function prepareVisible(page: PageRequest, context: Context) {
  return preparePage(
    { ...page, nowMs: Date.now() },
    {
      ...context,
      store: visibleStore(context.store, page.user),
      failures: visibleFailures(context.failures, page.user),
    },
  )
}
