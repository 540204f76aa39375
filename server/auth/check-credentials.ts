import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { User } from '../../shared/user.ts'
import { clientAddress } from '../http/client-address.ts'
import { HttpError } from '../http/http-error.ts'
import type { Config } from '../settings/config.ts'
import type { StoredToken, TokenStore } from '../store/token-store.ts'
import type { Credentials } from './credentials.ts'
import { createDsnKeys } from './dsn-keys.ts'
import { createLoginRateLimit } from './login-rate-limit.ts'
import { basicChallenge } from './password-sign-in.ts'
import { hashOfToken } from './tokens.ts'

/** The `WWW-Authenticate` header of a response to a token that is wrong, revoked or expired. */
export const invalidToken = 'Bearer realm="Sixpane", error="invalid_token"'

/**
 * Returns an administrator if the credentials contain the password, and otherwise the stored token whose secret or DSN key
 * they contain.
 * @throws HttpError if the credentials are wrong or can't be checked, or after too many failed attempts
 */
export type CheckCredentials = (
  credentials: Credentials,
  request: Pick<FastifyRequest, 'ip' | 'log'>,
) => Promise<User | StoredToken>

/** Creates the check, which limits failed attempts by scheme and address. */
export function createCredentialCheck(
  config: Pick<Config, 'password'>,
  tokens: Pick<TokenStore, 'byHash'>,
): CheckCredentials {
  const password = config.password === null ? null : sha256(config.password)
  const rateLimit = createLoginRateLimit()
  const dsnKeys = createDsnKeys(tokens)

  const find = async ({ scheme, name, secret }: Credentials): Promise<User | StoredToken | null> => {
    // Comparing hashes of equal length in constant time reveals nothing about the password.
    if (scheme === 'basic' && password !== null && timingSafeEqual(sha256(secret), password)) {
      return { name: name.slice(0, 100) || 'password', role: 'admin', services: null }
    }
    const token = (await tokens.byHash()).get(hashOfToken(secret))
    return token ?? (scheme === 'dsn' ? dsnKeys.tokenOf(secret) : null)
  }

  return async (credentials, request) => {
    const rateLimitKey = `${credentials.scheme} ${clientAddress(request)}`
    const attempt = rateLimit.start(rateLimitKey, credentials.secret)
    if (!attempt.allowed) {
      const message = 'Too many failed attempts from this address. Try again later.'
      throw new HttpError(429, message, { 'retry-after': Math.ceil(attempt.waitMs / 1000) })
    }
    const found = await find(credentials).catch(err => {
      attempt.cancel()
      // The token may be valid. OpenTelemetry clients retry after a 503.
      request.log.error({ err }, 'Failed to look up a token')
      const message = 'The token could not be checked and nothing was stored. Send the request again.'
      throw new HttpError(503, message, { 'retry-after': 5 })
    })
    if (found === null) {
      attempt.fail()
      throw wrongCredentials(credentials)
    }
    attempt.cancel()
    return found
  }
}

/** With Basic credentials, the browser asks for the password again. */
function wrongCredentials({ scheme }: Credentials): HttpError {
  const message = 'The token or password is wrong, or the token was revoked'
  return new HttpError(401, message, {
    'www-authenticate': scheme === 'basic' ? basicChallenge : invalidToken,
  })
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
