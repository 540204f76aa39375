import type { FastifyReply } from 'fastify'
import { retryAfterSeconds } from './page-lanes.ts'
import { html } from './send.ts'
import { standaloneContent, standaloneDocument } from './standalone-page.ts'

// Always the same, so that it costs nothing when there is too much to do. An empty URL is the address of the page itself.
const busyPage = standaloneDocument(
  'Sixpane is busy',
  standaloneContent(
    '<h1>Sixpane is busy</h1>' +
      `<p>Too many pages are being loaded at the moment. Try again in ${retryAfterSeconds} seconds.</p>` +
      '<p><a href="">Try again</a></p>',
  ),
)

/** Responds that there is too much to do. Overload is not a failure of Sixpane, so the page has no digest. */
export function sendBusy(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .headers({ 'retry-after': retryAfterSeconds, 'cache-control': 'no-store' })
    .type(html)
    .send(busyPage)
}
