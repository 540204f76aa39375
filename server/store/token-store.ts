import type { TokenScope } from '../../shared/token.ts'

/** Tokens that clients send instead of the password. Only their hashes are stored. */
export type TokenStore = {
  /** Ordered by creation time. */
  list(): Promise<StoredToken[]>
  add(token: Token, hash: string): Promise<void>
  /** Once the promise resolves, `byHash` does not contain the token. */
  remove(id: string): Promise<void>
  /**
   * Returns all tokens by hash, from a cache, because every request needs them. `usedMs` may therefore be outdated. Returns
   * the same object until a token is added or removed.
   */
  byHash(): Promise<ReadonlyMap<string, StoredToken>>
  /**
   * Stores when tokens were last used. An earlier time than the stored one has no effect, because several servers may
   * record the uses of a token. Omitted tokens do not change.
   */
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

/** `usedMs` is `null` if the token has never been used. */
export type StoredToken = Token & { hash: string; usedMs: number | null }
