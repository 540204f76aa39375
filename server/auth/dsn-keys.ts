import type { StoredToken, TokenStore } from '../store/token-store.ts'
import { dsnKeyOf } from './tokens.ts'

/** Finds tokens by the keys in Sentry DSNs. */
export type DsnKeys = {
  /** Returns the token with this key, or `null` if there is none. */
  tokenOf(key: string): Promise<StoredToken | null>
}

/** Caches the derived keys until the tokens change, because every request from a Sentry SDK looks up a key. */
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
