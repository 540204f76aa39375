/** Tokens that clients send instead of the password. Only their hashes are stored. */
export type TokenStore = {
  /** Ordered by creation time. */
  list(): Promise<StoredToken[]>
  add(token: Token, hash: string): Promise<void>
  /** Once the promise resolves, `has` returns `false`. */
  remove(id: string): Promise<void>
  /** Whether a token has this hash. Must be fast, because it is called for every request. */
  has(hash: string): Promise<boolean>
  /** The hashes of all tokens. The same object until a token is added or removed. */
  hashes(): Promise<ReadonlySet<string>>
}

export type Token = { id: string; name: string; createdMs: number }
export type StoredToken = Token & { hash: string }

/**
 * Caches the hashes of all tokens until a token is added or removed. Guessed tokens therefore cause no queries.
 * The cache cannot become stale, because only one process can open a store.
 */
export function cacheTokens(
  tokens: Omit<TokenStore, 'has' | 'hashes'> & { hashes(): Promise<string[]> },
): TokenStore {
  let cached: Promise<ReadonlySet<string>> | null = null
  const read = () => {
    const reading = tokens.hashes().then(hashes => new Set(hashes))
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
    add: (token, hash) => changed(tokens.add(token, hash)),
    remove: id => changed(tokens.remove(id)),
    has: async hash => (await (cached ?? read())).has(hash),
    hashes: () => cached ?? read(),
  }
}
