import type { Store } from '../store/store.ts'

/**
 * Returns the ids of the failures with a digest (see `failuresOfDigest` in the store). If there is none, also looks up the
 * lower-case form of a hexadecimal digest, because a digest that somebody read out may have been typed in capitals.
 */
export async function failuresOfDigest(
  digest: string,
  store: Pick<Store, 'failuresOfDigest'>,
  signal: AbortSignal,
): Promise<string[]> {
  const ids = await store.failuresOfDigest(digest, signal)
  const lowerCase = digest.toLowerCase()
  const isOther = lowerCase !== digest && /^[0-9a-f]+$/.test(lowerCase)
  return ids.length === 0 && isOther ? store.failuresOfDigest(lowerCase, signal) : ids
}
