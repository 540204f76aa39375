import type { OutgoingHttpHeaders } from 'node:http'

/**
 * Returns the headers of a file to download, which is named after Sixpane and a time.
 * @param extension without the dot
 */
export function attachmentHeaders(timeMs: number, extension: string): OutgoingHttpHeaders {
  const time = new Date(timeMs).toISOString().slice(0, 19).replaceAll(':', '-')
  return {
    'content-disposition': `attachment; filename="sixpane-${time}.${extension}"`,
    'cache-control': 'no-store',
  }
}
