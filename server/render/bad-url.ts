import type { FastifyReply } from 'fastify'
import { paths } from '../../shared/paths.ts'
import { standaloneContent, standaloneDocument } from '../html/standalone-page.ts'
import { acceptsHtml, htmlType } from '../http/html-response.ts'
import { HttpError } from '../http/http-error.ts'

const badUrlPage = standaloneDocument(
  'This address is not valid',
  standaloneContent(
    '<h1>This address is not valid</h1>' +
      '<p>It contains characters that cannot be decoded. Check the link.</p>' +
      `<p><a href="${paths.home()}">Home</a></p>`,
  ),
)

/** Responds to a URL that cannot be decoded. The page is constant, because the URL cannot be shown reliably. */
export function sendBadUrl(reply: FastifyReply): FastifyReply {
  const { request } = reply
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (!reads || !acceptsHtml(request)) {
    throw new HttpError(400, 'The path of the URL cannot be decoded')
  }
  return reply.code(400).header('cache-control', 'no-store').type(htmlType).send(badUrlPage)
}
