import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferencesCookie, serializePreferences } from '../../shared/preferences.ts'
import { chooseEncoding, encode } from './encode.ts'
import type { Prepared } from './page.ts'
import type { Rendered } from './whole.ts'

export const html = 'text/html; charset=utf-8'

/** Sends a page in the encoding that the visitor takes, or only the word that it has not changed. */
export function sendPage(
  { status, etag, body, encoded }: Rendered,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  reply
    .code(status)
    .header('etag', etag)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'accept-encoding')
  if (status === 200 && request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  let bytes = encoded.get(encoding)
  if (bytes === undefined) {
    bytes = encode(body, encoding)
    encoded.set(encoding, bytes)
  }
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(html).send(bytes)
}

/** Sends on to another URL of ours, by GET whatever this request was, with the preferences to keep, if any. */
export function sendOn(
  { location, preferences }: Extract<Prepared, { kind: 'redirect' }>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (preferences !== null) {
    reply.setCookie(preferencesCookie, serializePreferences(preferences), {
      path: '/',
      maxAge: 365 * 86_400,
      sameSite: 'lax',
      httpOnly: true,
      secure: request.protocol === 'https',
    })
  }
  return reply.redirect(location, 303)
}
