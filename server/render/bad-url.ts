import type { FastifyReply, FastifyRequest } from 'fastify'
import { paths } from '../../shared/paths.ts'
import { standaloneContent, standaloneDocument } from '../html/standalone-page.ts'
import { HttpError } from '../http/http-error.ts'
import { html } from './send.ts'

const badUrlPage = standaloneDocument(
  'This address is not valid',
  standaloneContent(
    '<h1>This address is not valid</h1>' +
      '<p>It contains characters that cannot be decoded. Check the link.</p>' +
      `<p><a href="${paths.home()}">Home</a></p>`,
  ),
)

/** Responds to a URL that cannot be decoded. The page is constant, because the URL cannot be shown reliably. */
export function sendBadUrl(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (!reads || !request.headers.accept?.includes('text/html')) {
    throw new HttpError(400, 'The path of the URL cannot be decoded')
  }
  return reply.code(400).header('cache-control', 'no-store').type(html).send(badUrlPage)
}
