import { paths } from '../../../shared/paths.ts'

/**
 * Returns the path and query if the text refers to a page on this server, and otherwise the path of the home page, because a
 * link could contain any URL.
 */
export function localPath(text: string): string {
  const base = 'http://sixpane.invalid'
  if (!text.startsWith('/') || !URL.canParse(text, base)) return paths.home()
  const { origin, pathname, search } = new URL(text, base)
  // A browser resolves a path that starts with two slashes to another host.
  return origin === base && !pathname.startsWith('//') ? pathname + search : paths.home()
}
