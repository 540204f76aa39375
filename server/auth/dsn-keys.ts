import type { StoredToken, TokenStore } from '../store/token-store.ts'
import { dsnKeyOf } from './tokens.ts'

/** Finds the tokens of keys in Sentry DSNs. */
export type DsnKeys = {
  /** Returns the token with this key, or `null` if there is none. */
  tokenOf(key: string): Promise<StoredToken | null>
}

/** Derives the keys again only after a token was added or removed, because the key of every request is looked up. */
export function createDsnKeys(store: Pick<TokenStore, 'byHash'>): DsnKeys {
  let derivedFrom: ReadonlyMap<string, StoredToken> | null = null
  let tokens: ReadonlyMap<string, StoredToken> = new Map()
  return {
    async tokenOf(key) {
      const current = await store.byHash()
      if (current !== derivedFrom) {
        tokens = new Map(Array.from(current, ([hash, token]) => [dsnKeyOf(hash), token]))
        derivedFrom = current
      }
      return tokens.get(key) ?? null
    },
  }
}
