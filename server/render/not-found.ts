import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parsePreferences, preferencesCookie } from '../../shared/preferences.ts'
import { screenAt, screens } from '../../shared/screens.ts'
import type { Context } from '../context.ts'
import { HttpError } from '../http/http-error.ts'
import { splitUrl } from '../http/request-url.ts'
import { sendFailure } from './fail.ts'
import { notFoundPage } from './page.ts'
import { sendPage } from './send.ts'
import { visitOf } from './visit.ts'
import { renderWhole, type Stage } from './whole.ts'

/**
 * Answers what no route takes: a screen under another spelling is sent on to the one it has, another method is
 * told which are possible, and everything else is not found, in the frame with the links to the screens.
 */
export function handleUnrouted(fastify: FastifyInstance, stage: Stage, context: Context): void {
  fastify.setNotFoundHandler(async (request, reply) => {
    const { path, search } = splitUrl(request.raw.url ?? '')
    const screen = screenAt(path.replace(/(?<=.)\/+$/, ''))
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (screen !== undefined && reads) return sendToScreen(screens[screen].path, search, reply)

    const allowed = (['GET', 'HEAD', 'POST'] as const).filter(method =>
      fastify.hasRoute({ method, url: path }),
    )
    if (allowed.length > 0) {
      const methods = allowed.join(', ')
      const message = `${request.method} is not possible here; ${methods} is`
      throw new HttpError(405, message, { allow: methods })
    }
    if (!reads || !request.headers.accept?.includes('text/html')) {
      throw new HttpError(404, 'There is nothing at this path')
    }
    return await sendNotFound(request, reply)
  })

  const sendNotFound = async (request: FastifyRequest, reply: FastifyReply) => {
    const preferences = parsePreferences(request.cookies[preferencesCookie])
    const page = notFoundPage(request.raw.url ?? '/', preferences, Date.now(), context.build)
    const visit = visitOf(reply, context.config.renderDeadlineMs)
    try {
      return sendPage(await renderWhole(page, 404, stage, null, visit.signal), request, reply)
    } catch (thrown) {
      return await sendFailure(thrown, null, request, reply, context)
    } finally {
      visit.end()
    }
  }
}

/** One URL, one representation: a screen stands at its path alone. */
export function sendToScreen(path: string, search: string | null, reply: FastifyReply): FastifyReply {
  return reply.redirect(search === null ? path : `${path}?${search}`, 308)
}
