/** Tokens that clients send instead of the password. Only their hashes are stored. */
export type TokenStore = {
  /** Ordered by creation time. */
  list(): Promise<Token[]>
  add(token: Token, hash: string): Promise<void>
  /** Once the promise resolves, `has` returns `false`. Other processes with the same store follow within seconds. */
  remove(id: string): Promise<void>
  /** Whether a token has this hash. Cheap, because it is called for every request. */
  has(hash: string): Promise<boolean>
}

export type Token = { id: string; name: string; createdMs: number }

const cacheMs = 5000

/**
 * Caches the hashes of all tokens for `has`, for a few seconds or until a token is added or removed here. Guessing many
 * tokens therefore causes few queries.
 */
export function cacheTokens(
  tokens: Omit<TokenStore, 'has'> & { hashes(): Promise<string[]> },
  nowMs: () => number,
): TokenStore {
  let cached: { hashes: Promise<Set<string>>; untilMs: number } | null = null
  const read = () => {
    const reading = { hashes: tokens.hashes().then(hashes => new Set(hashes)), untilMs: nowMs() + cacheMs }
    cached = reading
    reading.hashes.catch(() => {
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
    has: async hash => {
      const { hashes } = cached !== null && nowMs() < cached.untilMs ? cached : read()
      return (await hashes).has(hash)
    },
  }
}
