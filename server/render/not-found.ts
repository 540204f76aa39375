import type { FastifyInstance, FastifyReply } from 'fastify'
import { preferencesOf } from '../../shared/preferences.ts'
import { screenAt, screens } from '../../shared/screens.ts'
import type { Context } from '../context.ts'
import { acceptsHtml } from '../http/html-response.ts'
import { HttpError } from '../http/http-error.ts'
import { splitUrl } from '../http/request-url.ts'
import { isUndecodable } from '../http/routable-url.ts'
import { userOf } from '../http/route-access.ts'
import { sendBadUrl } from './bad-url.ts'
import { renderBuffered } from './buffered.tsx'
import { sendFailure } from './fail.ts'
import type { RenderEnv } from './page-tree.tsx'
import { notFoundPage } from './prepare.ts'
import { sendPage } from './send.ts'

/**
 * Responds to requests that match no route: rejects paths that cannot be decoded, redirects variants of a screen's path,
 * lists the allowed methods of a known path, and sends the not-found page for any other path.
 */
export function handleUnrouted(fastify: FastifyInstance, env: RenderEnv, context: Context): void {
  fastify.setNotFoundHandler(async (request, reply) => {
    if (isUndecodable(request)) return sendBadUrl(reply)
    const { path, search } = splitUrl(request.raw.url ?? '')
    // The lookbehind keeps the search linear for a path with many slashes.
    const screen = screenAt(path.replace(/(?<!\/)\/+$/, '') || '/')
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (screen !== undefined && reads) return redirectToScreen(screens[screen].path, search, reply)

    // Fastify throws if the path looks like a pattern but is not a valid one.
    const isPattern = /[:*]/.test(path)
    const allowed = (['GET', 'HEAD', 'POST', 'PUT'] as const).filter(
      method => !isPattern && fastify.hasRoute({ method, url: path }),
    )
    if (allowed.length > 0) {
      const methods = allowed.join(', ')
      const message = `${request.method} is not allowed here. Allowed: ${methods}`
      throw new HttpError(405, message, { allow: methods })
    }
    if (!reads || !acceptsHtml(request)) {
      throw new HttpError(404, 'There is nothing at this path')
    }
    return await sendNotFound(reply)
  })

  const sendNotFound = async (reply: FastifyReply) => {
    const { request } = reply
    const preferences = preferencesOf(request.cookies)
    const page = notFoundPage(
      { url: request.raw.url ?? '/', preferences, nowMs: Date.now(), user: userOf(request) },
      context.build,
    )
    try {
      return sendPage(renderBuffered(page, 404, env, null), reply)
    } catch (thrown) {
      return await sendFailure(thrown, { kind: 'screen', route: null }, reply, context)
    }
  }
}

/** Redirects a variant of a screen's path (such as a trailing slash), so that each screen has one URL. */
export function redirectToScreen(path: string, search: string | null, reply: FastifyReply): FastifyReply {
  return reply.redirect(search === null ? path : `${path}?${search}`, 308)
}
