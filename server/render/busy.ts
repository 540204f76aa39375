import type { FastifyReply } from 'fastify'
import { standaloneContent, standaloneDocument } from '../html/standalone-page.ts'
import { htmlType } from '../http/html-response.ts'
import { retryAfterSeconds } from './page-lanes.ts'

// Constant, so that it costs nothing during an overload. An empty link URL refers to the page itself.
const busyPage = standaloneDocument(
  'Sixpane is busy',
  standaloneContent(
    '<h1>Sixpane is busy</h1>' +
      `<p>Too many pages are being loaded at the moment. Try again in ${retryAfterSeconds} seconds.</p>` +
      '<p><a href="">Try again</a></p>',
  ),
)

/** Responds that Sixpane is busy. Overload is not a failure, so the page has no digest. */
export function sendBusy(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .headers({ 'retry-after': retryAfterSeconds, 'cache-control': 'no-store' })
    .type(htmlType)
    .send(busyPage)
}
