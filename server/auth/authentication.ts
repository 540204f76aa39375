import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { passwordPath } from '../../shared/paths.ts'
import type { User } from '../../shared/user.ts'
import type { Context } from '../context.ts'
import { HttpError } from '../http/http-error.ts'
import { type RestrictedAccess, requireRole, unknownPathAccess } from '../http/route-access.ts'
import { connectedOrigin } from '../middleware/browser-origin.ts'
import { requiresSignIn } from '../settings/config.ts'
import type { StoredToken } from '../store/token-store.ts'
import { createCredentialCheck, invalidToken } from './check-credentials.ts'
import { type Credentials, credentialsOf, dsnCredentials } from './credentials.ts'
import { envelopeCredentials } from './envelope-credentials.ts'
import { startOidc } from './oidc/oidc.ts'
import { addPasswordPage, passwordSignIn } from './password-sign-in.ts'
import { proxySignIn } from './proxy-sign-in.ts'
import type { SignInMethod } from './sign-in-method.ts'
import { startTokenUse } from './token-use.ts'
import { isExpired, isToken } from './tokens.ts'

/** The user of every request if sign-in is not required. */
const everyone: User = { name: null, role: 'admin', services: null }

/**
 * Identifies the sender of a request, and checks whether they may use the route (`config: { access }`). Services send a
 * token as `Authorization: Bearer sxp_…` or as the password of Basic credentials, and Sentry's SDKs send the key of their
 * DSN. The configured password makes its sender an administrator, unless the request contains a user from a proxy. If users
 * normally sign in otherwise, browsers ask for the password only at `/password`.
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
  const checkCredentials = createCredentialCheck(config, store.tokens)
  const tokenUse = startTokenUse(store.tokens, context.logger)
  fastify.addHook('onClose', tokenUse.stop)
  const method = await signInMethod(fastify, context)
  if (config.password !== null && method !== passwordSignIn) addPasswordPage(fastify)

  /**
   * Ignores credentials that a proxy has checked and forwards with the user, except Sixpane's tokens, which limit what a
   * request may do.
   */
  const sentCredentials = (request: FastifyRequest) => {
    const sent = credentialsOf(request)
    if (sent === null || config.signIn !== 'proxy' || isToken(sent.secret)) return sent
    return method.userOf(request) === null ? sent : null
  }

  /** At `/password`, ignores sessions, because the user may have the password but a lower role. */
  const signedInUser = (request: FastifyRequest) =>
    config.signIn === 'oidc' && isPasswordPage(request) ? null : method.userOf(request)

  /**
   * Returns `null` if the sender needs to sign in.
   * @throws HttpError if the credentials are wrong, or the sender may not use the route
   */
  const authenticate = async (
    request: FastifyRequest,
    access: RestrictedAccess,
    inBody: Credentials | null = null,
  ) => {
    // Other credentials may be for a proxy that a Sentry SDK or its tunnel sends through.
    const inDsn = access.pages === 'dsn' ? dsnCredentials(request) : null
    const credentials = inDsn ?? sentCredentials(request) ?? inBody
    // The user may have signed out on another replica.
    if (credentials === null) await store.replicas.refresh()
    const found = credentials === null ? signedInUser(request) : await checkCredentials(credentials, request)
    if (found === null) return null
    if ('hash' in found) {
      const token = { ...found, isPublic: credentials?.scheme === 'dsn' }
      return { token, user: userOfToken(found, access, Date.now()) }
    }
    checkRole(found, access)
    return { token: null, user: found }
  }

  /** Authenticates a request without other credentials by the DSN in its body. */
  const authenticateEnvelope = async (
    request: FastifyRequest,
    reply: FastifyReply,
    access: RestrictedAccess,
  ) => {
    // Node discards the rest of a body only if nothing has read from it. Otherwise, the connection would hang.
    reply.raw.once('finish', () => request.raw.resume())
    const inBody = await envelopeCredentials(request)
    return inBody === null ? null : authenticate(request, access, inBody)
  }

  fastify.addHook('onRequest', async (request, reply) => {
    const access =
      request.routeOptions.config?.access ?? (request.is404 ? unknownPathAccess : { role: 'admin' })
    if (access === 'public') return
    // Routes for Sentry SDKs require a key even if the origin is accepted. Preflight requests may lack the key, so their
    // origin is sufficient.
    const acceptsOrigin = access.pages !== 'dsn' || request.method === 'OPTIONS'
    if (acceptsOrigin && connectedOrigin(request, config) !== null) return
    const sender =
      (await authenticate(request, access)) ??
      (access.pages === 'dsn' ? await authenticateEnvelope(request, reply, access) : null)
    if (sender === null) {
      const { challenge } = isPasswordPage(request) ? passwordSignIn : method
      return challenge(request, reply)
    }
    if (sender.token !== null) tokenUse.record(sender.token)
    request.user = sender.user
    request.token = sender.token
    request.hasAccess = async () => {
      const current = await authenticate(request, access).catch(() => null)
      return JSON.stringify(current?.user) === JSON.stringify(sender.user)
    }
  })
}

function isPasswordPage({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean {
  return routeOptions.url === passwordPath
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

/** @throws HttpError 403 if the user's role or services are not sufficient */
function checkRole(user: User, { role, needsAllServices }: RestrictedAccess): void {
  requireRole(user, role)
  if (needsAllServices === true && user.services !== null)
    throw new HttpError(403, 'This requires access to all services, but you may see only some of them')
}

/**
 * Returns a viewer with the token's name and services.
 * @throws HttpError 401 or 403 if the token has expired or does not permit the request
 */
function userOfToken(token: StoredToken, { scope, needsAllServices }: RestrictedAccess, nowMs: number): User {
  const { name, scopes, services } = token
  if (isExpired(token, nowMs)) {
    const message = 'The token has expired. Create another one in the settings'
    throw new HttpError(401, message, { 'www-authenticate': invalidToken })
  }
  if (scope === undefined || (scope !== 'any' && !scopes.includes(scope))) {
    const needed = scope === undefined ? 'a user, not a token' : `a token with the scope ${scope}`
    const headers = { 'www-authenticate': 'Bearer realm="Sixpane", error="insufficient_scope"' }
    throw new HttpError(403, `This requires ${needed}`, headers)
  }
  if (needsAllServices === true && services !== null)
    throw new HttpError(403, 'This requires access to all services, but the token is limited to some of them')
  return { name: `token ${name}`, role: 'viewer', services }
}

export default fastifyPlugin(authentication, {
  name: 'authentication',
  fastify: '5.x',
  dependencies: ['headers', '@fastify/cookie'],
})
