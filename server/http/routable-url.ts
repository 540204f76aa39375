import type { FastifyRequest } from 'fastify'
import { splitUrl } from './request-url.ts'

/** No route has this path. */
const replacement = '/%25'

/**
 * Returns the URL for the router: the path and query of the requested URL, which may be absolute
 * (https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2). Replaces a URL that the router cannot decode, so that all hooks run
 * and the not-found handler responds. Otherwise, Fastify would respond before the hooks run. `request.originalUrl` still
 * contains the requested URL.
 */
export function routableUrl({ url = '' }: { url?: string | undefined }): string {
  return decodableUrl(url) ?? replacement
}

/** Whether `routableUrl` replaced the URL of a request, because it cannot be decoded. */
export function isUndecodable({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): boolean {
  return decodableUrl(originalUrl) === null
}

function decodableUrl(given: string): string | null {
  // Only a path, a query or nothing may follow the host.
  const url = given.replace(/^https?:\/\/[^/?#]+(?:\/|(?=\?)|$)/i, '/')
  if (/^https?:\/\//i.test(url)) return null
  if (!url.includes('%')) return url
  try {
    decodeURI(splitUrl(url).path)
    return url
  } catch {
    return null
  }
}
