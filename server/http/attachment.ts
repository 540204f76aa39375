import type { OutgoingHttpHeaders } from 'node:http'

/**
 * Returns the response headers of a file download. The file name consists of `sixpane` and the time.
 * @param extension without the dot
 */
export function attachmentHeaders(timeMs: number, extension: string): OutgoingHttpHeaders {
  const time = new Date(timeMs).toISOString().slice(0, 19).replaceAll(':', '-')
  return {
    'content-disposition': `attachment; filename="sixpane-${time}.${extension}"`,
    'cache-control': 'no-store',
  }
}
