import type { FastifyReply } from 'fastify'
import { preferencesCookie, serializePreferences } from '../../shared/preferences.ts'
import { htmlType } from '../http/html-response.ts'
import type { Redirect } from '../screens/screen.ts'
import type { RenderedPage } from './buffered.tsx'
import { chooseEncoding, encode } from './encode.ts'

export const pageHeaders = { 'cache-control': 'private, no-cache', vary: 'accept-encoding' }

/**
 * Sends a page in an encoding that the visitor accepts, or 304 if the visitor already has this version. The response to a form
 * may contain a secret that is shown once, so browsers must not store it.
 */
export function sendPage({ status, etag, body, encoded }: RenderedPage, reply: FastifyReply): FastifyReply {
  const { request } = reply
  reply.code(status).header('etag', etag).headers(pageHeaders)
  if (request.method === 'POST') reply.header('cache-control', 'no-store')
  if (status === 200 && request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  let bytes = encoded.get(encoding)
  if (bytes === undefined) {
    bytes = encode(body, encoding)
    encoded.set(encoding, bytes)
  }
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(htmlType).send(bytes)
}

/** Redirects with 303, and stores changed preferences in the visitor's cookie. */
export function sendRedirect({ location, preferences }: Redirect, reply: FastifyReply): FastifyReply {
  if (preferences !== undefined) {
    reply.setCookie(preferencesCookie, serializePreferences(preferences), {
      path: '/',
      maxAge: 365 * 86_400,
      sameSite: 'lax',
      httpOnly: true,
      secure: reply.request.protocol === 'https',
    })
  }
  return reply.redirect(location, 303)
}
