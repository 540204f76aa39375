import { createHash } from 'node:crypto'
import { renderToString } from 'react-dom/server'
import { Screens } from '../../client/routes.tsx'
import type { Page } from '../../shared/page.ts'
import { documentAround } from './document.ts'
import { type RequestedDrill, throwInRender } from './drill.ts'
import type { Encoding } from './encode.ts'
import { PageTree, type RenderEnv } from './page-tree.tsx'

/** A complete document. Encoded bodies are created on the first request. */
export type RenderedPage = { status: number; etag: string; body: Buffer; encoded: Map<Encoding, Buffer> }

/**
 * Renders the whole document before sending it, so that the failure page can still replace it. A stream is not needed,
 * because nothing in the tree waits for data, and `renderToString` takes a third less time than collecting a stream.
 * @throws an error that a component of the page throws
 */
export function renderBuffered(
  page: Page,
  status: number,
  env: RenderEnv,
  drill: RequestedDrill,
): RenderedPage {
  const { head, tail } = documentAround(page, env.build)
  const tree = renderToString(
    <PageTree page={page}>{drill === 'render' ? <ThrowInRender /> : <Screens views={env.views} />}</PageTree>,
  )
  const body = Buffer.from(head + tree + tail)
  // Weak, because the page is sent in several encodings.
  const etag = `W/"${createHash('sha1').update(body).digest('base64url')}"`
  return { status, etag, body, encoded: new Map() }
}

function ThrowInRender(): never {
  return throwInRender()
}
