/** Next.js shows `<digest>@E<code>` on the page for errors of its own, and logs the bare digest. */
export const digestSuffix = '@E[0-9]+$'

export function bareDigest(digest: string): string {
  return digest.replace(new RegExp(digestSuffix), '')
}
