import type { TokenScope } from '../../shared/token.ts'

/** Tokens that clients send instead of the password. Only their hashes are stored. */
export type TokenStore = {
  /** Ordered by creation time. */
  list(): Promise<StoredToken[]>
  add(token: Token, hash: string): Promise<void>
  /** Once the promise resolves, `byHash` does not contain the token. */
  remove(id: string): Promise<void>
  /**
   * Returns all tokens by hash, from a cache, because every request calls this. `usedMs` may therefore be outdated. Returns
   * the same object until a token is added or removed.
   */
  byHash(): Promise<ReadonlyMap<string, StoredToken>>
  /** Stores when tokens were last used. Omitted tokens do not change. */
  recordUse(usedMs: ReadonlyMap<string, number>): Promise<void>
}

export type Token = {
  id: string
  name: string
  createdMs: number
  scopes: readonly TokenScope[]
  /** The services that the token is limited to; `null` means all. */
  services: readonly string[] | null
  /** `null` if the token does not expire. */
  expiresMs: number | null
}

/** `usedMs` is `null` if the token was never used. */
export type StoredToken = Token & { hash: string; usedMs: number | null }

/**
 * Caches all tokens until a token is added or removed. Guessed tokens therefore cause no queries. Only for stores that a
 * single process can open: otherwise, the cache could become stale.
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
