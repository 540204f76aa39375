// People read digests out and type them in capitals, so the formats ignore case.

/** A Sixpane digest, which is also the fingerprint. */
const ownDigest = /^[0-9a-f]{10}$/i
/** A digest of Sixpane's modules for web frameworks (`newDigest`). Nearly all of them contain both digits and letters. */
const moduleDigest = /^(?=\D*\d)(?=\d*[a-f])[0-9a-f]{12}$/i
/** A Next.js digest: a 32-bit decimal number. Since 15.5, digests of framework errors also contain an error code. */
const nextDigest = /^\d{6,10}(@E\w+)?$/

export function isOwnDigest(text: string): boolean {
  return ownDigest.test(text)
}

export function isModuleDigest(text: string): boolean {
  return moduleDigest.test(text)
}

/** Whether a word is probably a digest. */
export function looksLikeDigest(text: string): boolean {
  return isOwnDigest(text) || isModuleDigest(text) || nextDigest.test(text)
}
