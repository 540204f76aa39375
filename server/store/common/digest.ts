import { hasWildcard, type Pattern } from './compares.ts'

/** For its own errors, Next.js shows `<digest>@E<code>` on the page, but logs only the digest. */
export const digestSuffix = '@E[0-9]+$'

export function bareDigest(digest: string): string {
  return digest.replace(new RegExp(digestSuffix), '')
}

/**
 * The pattern without the digest's suffix. A pattern with wildcards is returned unchanged: without its suffix, `*@E352`
 * would match every digest.
 */
export function barePattern(pattern: Pattern): Pattern {
  return hasWildcard(pattern) ? pattern : { ...pattern, text: bareDigest(pattern.text) }
}
