import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { User } from '../../shared/user.ts'
import type { Context } from '../context.ts'
import { clientAddress } from '../http/client-address.ts'
import { HttpError } from '../http/http-error.ts'
import { type RestrictedAccess, requireRole } from '../http/route-access.ts'
import { connectedOrigin } from '../middleware/browser-origin.ts'
import { requiresSignIn } from '../settings/config.ts'
import type { StoredToken } from '../store/token-store.ts'
import { type Credentials, credentialsOf, dsnCredentials } from './credentials.ts'
import { createDsnKeys } from './dsn-keys.ts'
import { createLoginRateLimit } from './login-rate-limit.ts'
import { startOidc } from './oidc/oidc.ts'
import { proxySignIn } from './proxy-sign-in.ts'
import type { SignInMethod } from './sign-in-method.ts'
import { startTokenUse } from './token-use.ts'
import { hashOfToken } from './tokens.ts'

/** The user of every request if sign-in is not required. */
const everyone: User = { name: null, role: 'admin', services: null }

/**
 * Identifies the sender of a request, and checks whether they may use the route (`config: { access }`). Services send a token
 * as `Authorization: Bearer sxp_…` or, if they support only Basic, as the password. Sentry's SDKs send the key of their DSN.
 * Users sign in with the configured method. The configured password, if there is one, works with every method and makes the
 * user an administrator.
 */
const authentication: FastifyPluginAsync<{
  context: Pick<Context, 'config' | 'store' | 'logger' | 'audit' | 'tracing'>
}> = async (fastify, { context }) => {
  const { config, store } = context
  fastify.decorateRequest('user', null)
  fastify.decorateRequest('token', null)
  fastify.decorateRequest('hasAccess', async () => true)
  if (!requiresSignIn(config)) {
    fastify.addHook('onRequest', (request, _reply, done) => {
      request.user = everyone
      done()
    })
    return
  }
  const password = config.password === null ? null : sha256(config.password)
  const rateLimit = createLoginRateLimit()
  const dsnKeys = createDsnKeys(store.tokens)
  const tokenUse = startTokenUse(store.tokens, context.logger)
  fastify.addHook('onClose', tokenUse.stop)
  const method = await signInMethod(fastify, context)

  const findToken = async ({ scheme, secret }: Credentials): Promise<StoredToken | null> => {
    const token = (await store.tokens.byHash()).get(hashOfToken(secret))
    return token ?? (scheme === 'dsn' ? dsnKeys.tokenOf(secret) : null)
  }

  /**
   * Returns an administrator if the credentials contain the password. Otherwise, returns the stored token with their secret,
   * or `null`.
   */
  const find = async (credentials: Credentials): Promise<User | StoredToken | null> => {
    const { scheme, name, secret } = credentials
    // Comparing hashes of equal length in constant time reveals nothing about the password.
    if (scheme === 'basic' && password !== null && timingSafeEqual(sha256(secret), password)) {
      return { name: name.slice(0, 100) || 'password', role: 'admin', services: null }
    }
    return findToken(credentials)
  }

  /**
   * Returns `null` if the credentials are invalid.
   * @throws HttpError if they can't be checked, or after too many failed attempts
   */
  const check = async (
    credentials: Credentials,
    request: FastifyRequest,
  ): Promise<User | StoredToken | null> => {
    const rateLimitKey = `${credentials.scheme} ${clientAddress(request)}`
    const attempt = rateLimit.start(rateLimitKey, credentials.secret)
    if (!attempt.allowed) {
      const message = 'Too many failed attempts from this address. Try again later.'
      throw new HttpError(429, message, { 'retry-after': Math.ceil(attempt.waitMs / 1000) })
    }
    try {
      const found = await find(credentials)
      if (found !== null) {
        attempt.cancel()
        return found
      }
    } catch (err) {
      attempt.cancel()
      // The token may be valid. OpenTelemetry clients retry after a 503.
      request.log.error({ err }, 'Failed to look up a token')
      const message = 'The token could not be checked and nothing was stored. Send the request again.'
      throw new HttpError(503, message, { 'retry-after': 5 })
    }
    attempt.fail()
    return null
  }

  /**
   * Returns `null` if the sender needs to sign in.
   * @throws HttpError if the credentials are wrong, or the sender may not use the route
   */
  const authenticate = async (request: FastifyRequest, access: RestrictedAccess) => {
    const credentials = credentialsOf(request) ?? (access.pages === 'dsn' ? dsnCredentials(request) : null)
    // The user may have signed out at another replica.
    if (credentials === null) await store.replicas.refresh()
    const found = credentials === null ? method.userOf(request) : await check(credentials, request)
    if (found === null && credentials !== null) throw wrongCredentials(credentials)
    if (found === null) return null
    if ('hash' in found) return { token: found, user: userOfToken(found, access, Date.now()) }
    checkRole(found, access)
    return { token: null, user: found }
  }

  fastify.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config?.access ?? { role: request.is404 ? 'viewer' : 'admin' }
    if (access === 'public') return
    // Sentry SDKs send the key in every request, but preflight requests contain no headers of the SDK.
    const acceptsOrigin = access.pages !== 'dsn' || request.method === 'OPTIONS'
    if (acceptsOrigin && connectedOrigin(request, config) !== null) return
    const sender = await authenticate(request, access)
    if (sender === null) return method.challenge(request, reply)
    if (sender.token !== null) tokenUse.record(sender.token)
    request.user = sender.user
    request.token = sender.token
    request.hasAccess = async () => {
      const current = await authenticate(request, access).catch(() => null)
      return JSON.stringify(current?.user) === JSON.stringify(sender.user)
    }
  })
}

function signInMethod(
  fastify: FastifyInstance,
  context: Pick<Context, 'config' | 'store' | 'audit' | 'tracing'>,
): SignInMethod | Promise<SignInMethod> {
  switch (context.config.signIn) {
    case 'oidc':
      return startOidc(fastify, context)
    case 'proxy':
      return proxySignIn(context.config)
    default:
      return passwordSignIn
  }
}

/** The browser asks for the password and sends it with every request. */
const passwordSignIn: SignInMethod = {
  userOf: () => null,
  async challenge() {
    throw new HttpError(401, 'Authentication required', { 'www-authenticate': basicChallenge })
  },
}

const basicChallenge = 'Basic realm="Sixpane", charset="UTF-8"'
const invalidToken = 'Bearer realm="Sixpane", error="invalid_token"'

/** With Basic credentials, the browser asks for the password again. */
function wrongCredentials({ scheme }: Credentials): HttpError {
  const message = 'The token or password is wrong, or the token was revoked'
  return new HttpError(401, message, {
    'www-authenticate': scheme === 'basic' ? basicChallenge : invalidToken,
  })
}

/** @throws HttpError 403 */
function checkRole(user: User, { role, needsAllServices }: RestrictedAccess): void {
  requireRole(user, role)
  if (needsAllServices === true && user.services !== null)
    throw new HttpError(403, 'This requires access to all services, and you may see only some of them')
}

/**
 * Returns a viewer with the token's name and services.
 * @throws HttpError 401 or 403 if the token has expired or does not permit the request
 */
function userOfToken(token: StoredToken, { scope, needsAllServices }: RestrictedAccess, nowMs: number): User {
  const { name, scopes, services, expiresMs } = token
  if (expiresMs !== null && expiresMs <= nowMs) {
    const message = 'The token has expired. Create another one in the settings'
    throw new HttpError(401, message, { 'www-authenticate': invalidToken })
  }
  if (scope === undefined || !scopes.includes(scope)) {
    const needed = scope === undefined ? 'a user, not a token' : `a token with the scope ${scope}`
    const headers = { 'www-authenticate': 'Bearer realm="Sixpane", error="insufficient_scope"' }
    throw new HttpError(403, `This requires ${needed}`, headers)
  }
  if (needsAllServices === true && services !== null)
    throw new HttpError(403, 'This requires access to all services, and the token is limited to some of them')
  return { name: `token ${name}`, role: 'viewer', services }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export default fastifyPlugin(authentication, {
  name: 'authentication',
  fastify: '5.x',
  dependencies: ['headers', '@fastify/cookie'],
})
