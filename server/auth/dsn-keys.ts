import type { TokenStore } from '../store/token-store.ts'
import { dsnKeyOf } from './tokens.ts'

/** Finds the tokens of keys in Sentry DSNs. */
export type DsnKeys = {
  /** Returns the hash of the token with this key, or `null` if there is none. */
  tokenHashOf(key: string): Promise<string | null>
}

/** Derives the keys again only after a token was added or removed, because the key of every request is looked up. */
export function createDsnKeys(tokens: Pick<TokenStore, 'hashes'>): DsnKeys {
  let derivedFrom: ReadonlySet<string> | null = null
  let hashes: ReadonlyMap<string, string> = new Map()
  return {
    async tokenHashOf(key) {
      const current = await tokens.hashes()
      if (current !== derivedFrom) {
        hashes = new Map([...current].map(hash => [dsnKeyOf(hash), hash]))
        derivedFrom = current
      }
      return hashes.get(key) ?? null
    },
  }
}
