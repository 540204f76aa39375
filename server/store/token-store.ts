/** What clients show in place of the password to let events in. Of a token only its hash is kept. */
export type TokenStore = {
  /** In the order in which they were made. */
  list(): Promise<Token[]>
  add(token: Token, hash: string): Promise<void>
  /** Once it resolves `has` denies the token; other processes on the same store may take it for some seconds more. */
  remove(id: string): Promise<void>
  /** Whether there is a token with this hash. Cheap: asked with every request. */
  has(hash: string): Promise<boolean>
}

export type Token = { id: string; name: string; createdMs: number }

const knownForMs = 5000

/**
 * Answers `has` from memory: the hashes of all tokens, read anew every few seconds and after each change that was
 * made here. Whoever tries many tokens that are not there costs the engine no more than that.
 */
export function knownTokens(
  tokens: Omit<TokenStore, 'has'> & { hashes(): Promise<string[]> },
  nowMs: () => number,
): TokenStore {
  let known: { hashes: Promise<Set<string>>; untilMs: number } | null = null
  const read = () => {
    const reading = { hashes: tokens.hashes().then(hashes => new Set(hashes)), untilMs: nowMs() + knownForMs }
    known = reading
    reading.hashes.catch(() => {
      if (known === reading) known = null
    })
    return reading
  }
  const changed = async (change: Promise<void>) => {
    await change
    known = null
  }
  return {
    list: tokens.list,
    add: (token, hash) => changed(tokens.add(token, hash)),
    remove: id => changed(tokens.remove(id)),
    has: async hash => {
      const { hashes } = known !== null && nowMs() < known.untilMs ? known : read()
      return (await hashes).has(hash)
    },
  }
}
