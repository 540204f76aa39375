import type { StoredToken, TokenStore } from '../token-store.ts'

/**
 * Caches all tokens until a token is added or removed. Guessed tokens therefore cause no queries. Not for stores that
 * several processes can open at the same time, because the cache could become stale.
 */
export function cacheTokens(tokens: Omit<TokenStore, 'byHash'>): TokenStore {
  let cached: Promise<ReadonlyMap<string, StoredToken>> | null = null
  const read = () => {
    const reading = tokens.list().then(list => new Map(list.map(token => [token.hash, token])))
    cached = reading
    reading.catch(() => {
      if (cached === reading) cached = null
    })
    return reading
  }
  const changed = async (change: Promise<void>) => {
    await change
    cached = null
  }
  return {
    list: tokens.list,
    recordUse: tokens.recordUse,
    add: (token, hash) => changed(tokens.add(token, hash)),
    remove: id => changed(tokens.remove(id)),
    byHash: () => cached ?? read(),
  }
}
