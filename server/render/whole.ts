import { createHash } from 'node:crypto'
import type { Views } from '../../client/screens/registry.tsx'
import type { Page } from '../../shared/page.ts'
import type { Build } from '../build.ts'
import { frameOf } from './document.ts'
import type { Drilled } from './drill.ts'
import type { Encoding } from './encode.ts'
import { renderTree } from './tree.tsx'

/** A page that was rendered whole, with each encoding that somebody has asked for. */
export type Rendered = { status: number; etag: string; body: Buffer; encoded: Map<Encoding, Buffer> }

/** What rendering needs besides the page. */
export type Stage = { views: Views; build: Build }

/** @throws what the page's tree throws, or the signal's reason */
export async function renderWhole(
  page: Page,
  status: number,
  { views, build }: Stage,
  drill: Drilled,
  signal: AbortSignal,
): Promise<Rendered> {
  const tree = await renderTree(page, views, drill, signal)
  const frame = frameOf(page, build)
  const chunks: Uint8Array[] = [Buffer.from(frame.head)]
  if (tree.kind === 'whole') chunks.push(tree.html)
  else await tree.rest(chunk => chunks.push(Buffer.from(chunk)))
  const body = Buffer.concat([...chunks, Buffer.from(frame.tail)])
  // Weak: the same page goes out in several encodings.
  const etag = `W/"${createHash('sha1').update(body).digest('base64url')}"`
  return { status, etag, body, encoded: new Map() }
}
