import { paths } from '../../shared/paths.ts'
import { load } from './load.ts'

const commitMs = 5

/**
 * Requests one view while another client posts an event every 5 ms, and each commit invalidates the rendered page. Returns
 * requests and renders per second.
 */
export async function loadWhileWriting(
  origin: string,
  path: string,
  isShort: boolean,
): Promise<{ requests: number; renders: number }> {
  const startedMs = performance.now()
  const posts: Promise<Response>[] = []
  const writer = setInterval(() => {
    posts.push(
      fetch(origin + paths.ingest(), {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: JSON.stringify({ name: 'bench', msg: `event ${posts.length}` }),
      }),
    )
  }, commitMs)
  // Each rendered page contains its render time and therefore has a different ETag.
  const etags = new Set<string>()
  const onHeaders = (headers: string[]) => etags.add(headers[headers.indexOf('etag') + 1] ?? '')
  const requests = await load({ origin, path: () => path, isShort, onHeaders }).finally(() =>
    clearInterval(writer),
  )
  const renders = etags.size / ((performance.now() - startedMs) / 1000)
  const responses = await Promise.all(posts)
  if (!responses.every(response => response.ok)) throw new Error('An event was not accepted')
  return { requests, renders }
}
