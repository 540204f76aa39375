import { hasWildcard, type Pattern } from './compares.ts'

/** For its own errors, Next.js shows `<digest>@E<code>` on the page, but logs only the digest. */
export const digestSuffix = '@E[0-9]+$'

export function bareDigest(digest: string): string {
  return digest.replace(new RegExp(digestSuffix), '')
}

/** The pattern for digests without their suffix. With wildcards, it does not change: `*@E352` would match every digest. */
export function barePattern(pattern: Pattern): Pattern {
  return hasWildcard(pattern) ? pattern : { ...pattern, text: bareDigest(pattern.text) }
}
