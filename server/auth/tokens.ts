import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { tokenPrefix } from '../../shared/token.ts'
import type { Token, TokenStore } from '../store/token-store.ts'

/**
 * Creates a token and stores its hash. Returns the token's entry and its secret: `sxp_` followed by 192 random bits, which
 * need neither a salt nor a slow hash. The secret cannot be recovered later.
 */
export async function createToken(
  { name, scopes, services, expiresMs }: Omit<Token, 'id' | 'createdMs'>,
  tokens: Pick<TokenStore, 'add'>,
  nowMs: number,
): Promise<{ token: Token; secret: string }> {
  const secret = `${tokenPrefix}${randomBytes(24).toString('base64url')}`
  const token = { id: randomUUID(), name, createdMs: nowMs, scopes, services, expiresMs }
  await tokens.add(token, hashOfToken(secret))
  return { token, secret }
}

/** Whether a token has expired. */
export function isExpired({ expiresMs }: Pick<Token, 'expiresMs'>, nowMs: number): boolean {
  return expiresMs !== null && expiresMs <= nowMs
}

/** Whether a secret looks like a token rather than a password. */
export function isToken(secret: string): boolean {
  return secret.startsWith(tokenPrefix)
}

/**
 * Returns the key of a token in a Sentry DSN: 32 hexadecimal characters, as in Sentry's own DSNs. The key is public, because
 * web applications contain their DSN. It permits only sending events, and reveals neither the token nor its hash.
 */
export function dsnKeyOf(tokenHash: string): string {
  return createHash('sha256').update(`sixpane dsn ${tokenHash}`).digest('hex').slice(0, 32)
}

/** Returns the hexadecimal SHA-256 hash that identifies a token in the store. */
export function hashOfToken(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
