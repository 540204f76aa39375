import type { StoredToken, TokenStore } from '../token-store.ts'
import type { Engine } from './engine/engine.ts'

/** How long a replica may accept a token after another replica has removed it. */
const tokenCacheMs = 1000

/** Like `cacheTokens`, for a store that several replicas use: `byHash` rereads tokens that were read over a second ago. */
export function cacheSharedTokens(
  { access }: Pick<Engine, 'access'>,
  tokens: Omit<TokenStore, 'byHash'>,
): TokenStore {
  let byHash: ReadonlyMap<string, StoredToken> = new Map()
  let readMs = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null
  const refresh = async () => {
    const atMs = performance.now()
    const list = await access(state => [...state.tokens.values()])
    const isSame = list.length === byHash.size && list.every(token => byHash.has(token.hash))
    if (!isSame) byHash = new Map((await tokens.list()).map(token => [token.hash, token]))
    readMs = atMs
  }
  const changed = async (change: Promise<void>) => {
    await change
    await refresh()
  }
  return {
    ...tokens,
    add: (token, hash) => changed(tokens.add(token, hash)),
    remove: id => changed(tokens.remove(id)),
    async byHash() {
      if (performance.now() - readMs > tokenCacheMs) {
        reading ??= refresh().finally(() => {
          reading = null
        })
        await reading
      }
      return byHash
    },
  }
}
