import { createHash } from 'node:crypto'
import { renderToPipeableStream } from 'react-dom/server'
import { Screens } from '../../client/routes.tsx'
import type { Page } from '../../shared/page.ts'
import { documentAround } from './document.ts'
import { type RequestedDrill, throwInRender } from './drill.ts'
import type { Encoding } from './encode.ts'
import { HtmlCollector } from './html-collector.ts'
import { PageTree, type RenderEnv } from './page-tree.tsx'

/** A complete document. Encoded bodies are created on first request. */
export type RenderedPage = { status: number; etag: string; body: Buffer; encoded: Map<Encoding, Buffer> }

/**
 * Renders the whole document before sending it, so that the failure page can still replace it.
 * @throws an error that a component of the page throws, or the signal's reason
 */
export async function renderBuffered(
  page: Page,
  status: number,
  env: RenderEnv,
  drill: RequestedDrill,
  signal: AbortSignal,
): Promise<RenderedPage> {
  const { head, tail } = documentAround(page, env.build)
  const tree = await renderTree(page, env, drill, signal)
  const body = Buffer.concat([Buffer.from(head), tree, Buffer.from(tail)])
  // Weak, because the page is sent in several encodings.
  const etag = `W/"${createHash('sha1').update(body).digest('base64url')}"`
  return { status, etag, body, encoded: new Map() }
}

function renderTree(
  page: Page,
  { views }: RenderEnv,
  drill: RequestedDrill,
  signal: AbortSignal,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const collector = new HtmlCollector()
    const { pipe, abort } = renderToPipeableStream(
      <PageTree page={page}>{drill === 'render' ? <ThrowInRender /> : <Screens views={views} />}</PageTree>,
      {
        onAllReady() {
          pipe(collector)
          resolve(collector.html())
        },
        onError: reject,
      },
    )
    const stop = () => {
      reject(signal.reason)
      abort(signal.reason)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

function ThrowInRender(): never {
  return throwInRender()
}
