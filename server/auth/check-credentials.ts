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
import { hashOfToken, isToken } from './tokens.ts'

/** The `WWW-Authenticate` header of a response to a token that is wrong, revoked or expired. */
export const invalidToken = 'Bearer realm="Sixpane", error="invalid_token"'

/**
 * Returns the stored token whose secret or DSN key the credentials contain, or an administrator if they contain the password.
 * @throws HttpError if the credentials are wrong or can't be checked, or after too many failed attempts
 */
export type CheckCredentials = (
  credentials: Credentials,
  request: Pick<FastifyRequest, 'ip' | 'log'>,
) => Promise<User | StoredToken>

/** Creates the check, which limits failed attempts by kind of secret and address. */
export function createCredentialCheck(
  config: Pick<Config, 'password'>,
  tokens: Pick<TokenStore, 'byHash'>,
): CheckCredentials {
  const password = config.password === null ? null : sha256(config.password)
  const rateLimit = createLoginRateLimit()
  const dsnKeys = createDsnKeys(tokens)

  const tokenOf = async ({ scheme, secret }: Credentials): Promise<StoredToken | null> => {
    // The password must also work while the store is unavailable.
    if (scheme === 'basic' && !isToken(secret)) return null
    const token = (await tokens.byHash()).get(hashOfToken(secret))
    return token ?? (scheme === 'dsn' ? dsnKeys.tokenOf(secret) : null)
  }

  return async (credentials, request) => {
    const token = await tokenOf(credentials).catch(err => {
      // The token may be valid. OpenTelemetry clients retry after a 503.
      request.log.error({ err }, 'Failed to look up a token')
      const message = 'The token could not be checked and nothing was stored. Send the request again.'
      throw new HttpError(503, message, { 'retry-after': 5 })
    })
    // Tokens and DSN keys are too random to guess, so they need no limit. With one, each visitor of a web application with a
    // tunnel could lock out all others, who have the same address.
    if (token !== null) return token
    const { scheme, name, secret } = credentials
    // Wrong tokens in Basic credentials must not lock out the password, which never looks like a token.
    const kind = isToken(secret) ? 'token' : scheme
    const rateLimitKey = `${kind} ${clientAddress(request)}`
    const waitMs = rateLimit.waitMs(rateLimitKey)
    if (waitMs > 0) {
      const message = 'Too many failed attempts from this address. Try again later.'
      throw new HttpError(429, message, { 'retry-after': Math.ceil(waitMs / 1000) })
    }
    // Comparing hashes of equal length in constant time reveals nothing about the password.
    if (scheme === 'basic' && password !== null && timingSafeEqual(sha256(secret), password))
      return { name: name.slice(0, 100) || 'password', role: 'admin', services: null }
    rateLimit.fail(rateLimitKey, secret)
    throw wrongCredentials(credentials)
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
