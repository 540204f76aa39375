import type { FastifyRequest } from 'fastify'

/** No route has this path. */
const replacement = '/%25'

/**
 * Replaces a URL that the router cannot decode, so that all hooks run and the not-found handler responds. Otherwise,
 * Fastify would respond before the hooks run. `request.originalUrl` still contains the requested URL.
 */
export function replaceUndecodable({ url = '' }: { url?: string | undefined }): string {
  return isRoutable(url) ? url : replacement
}

/** Whether `replaceUndecodable` replaced the URL of a request. */
export function isUndecodable({ raw, originalUrl }: FastifyRequest): boolean {
  return raw.url !== originalUrl
}

function isRoutable(url: string): boolean {
  if (url.startsWith('/') && !url.includes('%')) return true
  // The router accepts an absolute URL only if a path, a query or nothing follows its host.
  if (/^https?:\/\//i.test(url) && !/^https?:\/\/[^/?#]+(?:[/?]|$)/i.test(url)) return false
  const [path = ''] = url.split('?', 1)
  try {
    decodeURI(path)
    return true
  } catch {
    return false
  }
}
