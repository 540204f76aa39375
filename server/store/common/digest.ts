/** For its own errors, Next.js shows `<digest>@E<code>` on the page, but logs only the digest. */
export const digestSuffix = '@E[0-9]+$'

export function bareDigest(digest: string): string {
  return digest.replace(new RegExp(digestSuffix), '')
}
