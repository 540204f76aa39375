import type { FastifyReply, FastifyRequest } from 'fastify'
import { screens } from '../../shared/screens.ts'
import type { Context } from '../context.ts'
import { takeOver } from '../http/hijack-reply.ts'
import { frameOf } from './document.ts'
import { logFailure } from './fail.ts'
import { failureFragment } from './failure-page.ts'
import { type Asked, preparePage } from './page.ts'
import { html, sendOn } from './send.ts'
import { renderTree } from './tree.tsx'
import type { Stage } from './whole.ts'

/**
 * Sends a page while it is rendered. What fails once the head has been sent can't change the status any more: the
 * failure page's wording stands in place of the screen.
 */
export async function sendLate(
  asked: Asked,
  stage: Stage,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
): Promise<FastifyReply> {
  const prepared = await preparePage(asked, context)
  if (prepared.kind === 'redirect') return sendOn(prepared, request, reply)
  const tree = await renderTree(prepared.page, stage.views, 'late', asked.signal)
  const frame = frameOf(prepared.page, stage.build)
  const out = takeOver(reply, prepared.status, { 'content-type': html, 'cache-control': 'no-store' })
  out.write(frame.head)
  try {
    if (tree.kind === 'whole') out.write(tree.html)
    else await tree.rest(chunk => out.write(chunk))
    out.end(frame.tail)
  } catch (thrown) {
    if (out.destroyed) return reply
    const route = screens[asked.screen].path
    const digest = await logFailure(thrown, { side: 'server', route }, request, context)
    out.end(`</div>${failureFragment('server', request.host, digest)}</body></html>`)
  }
  return reply
}
