import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Token, TokenStore } from '../store/token-store.ts'

/**
 * Makes a token under a name and keeps it. Gives its text, `sxp_` and 192 bits of chance, which nobody can get
 * back later: the store has the hash. So much chance needs no salt and no slow hash.
 */
export async function createToken(
  name: string,
  tokens: Pick<TokenStore, 'add'>,
  nowMs: number,
): Promise<{ token: Token; secret: string }> {
  const secret = `sxp_${randomBytes(24).toString('base64url')}`
  const token = { id: randomUUID(), name, createdMs: nowMs }
  await tokens.add(token, hashOfToken(secret))
  return { token, secret }
}

/** SHA-256 in hexadecimal: what the store knows a token by. */
export function hashOfToken(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
