/** A Sixpane digest, which is also the fingerprint. */
const ownDigest = /^[0-9a-f]{10}$/
/** A Next.js digest: a 32-bit decimal number. Since 15.5, digests of framework errors also contain an error code. */
const nextDigest = /^\d{6,10}(@E\w+)?$/

export function isOwnDigest(text: string): boolean {
  return ownDigest.test(text)
}

/** Whether a word is probably a digest. */
export function looksLikeDigest(text: string): boolean {
  return isOwnDigest(text) || nextDigest.test(text)
}
