import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Context } from '../context.ts'
import { clientAddress } from '../http/client-address.ts'
import { HttpError } from '../http/http-error.ts'
import type { RouteAuth } from '../http/route-auth.ts'
import { connectedOrigin } from '../middleware/browser-origin.ts'
import { requiresSignIn } from '../settings/config.ts'
import { createDsnKeys } from './dsn-keys.ts'
import { createLoginRateLimit } from './login-rate-limit.ts'
import { hashOfToken } from './tokens.ts'

/**
 * If a password is set, requires HTTP Basic authentication with that password and any user name. Routes declare which other
 * credentials they accept (`config: { auth }`). Services send a token as `Authorization: Bearer sxp_…` or, if they support
 * only Basic, as the password. Sentry's SDKs send the key of their DSN.
 */
const authentication: FastifyPluginAsync<{ context: Pick<Context, 'config' | 'store'> }> = async (
  fastify,
  { context },
) => {
  const { config, store } = context
  fastify.decorateRequest('tokenHash', null)
  if (!requiresSignIn(config)) return
  const password = sha256(config.password)
  const rateLimit = createLoginRateLimit()
  const dsnKeys = createDsnKeys(store.tokens)

  /** Returns the hash of the token that the credentials contain, or `null` if they are invalid. */
  const findToken = async ({ scheme, secret }: Credentials) => {
    const hash = hashOfToken(secret)
    if (await store.tokens.has(hash)) return hash
    return scheme === 'dsn' ? dsnKeys.tokenHashOf(secret) : null
  }

  const isValid = async (credentials: Credentials, auth: RouteAuth, request: FastifyRequest) => {
    const { scheme, secret } = credentials
    // Comparing hashes of equal length in constant time reveals nothing about the password.
    if (scheme === 'basic' && timingSafeEqual(sha256(secret), password)) return true
    if (auth !== 'token' && auth !== 'dsn') return false
    const hash = await findToken(credentials)
    if (hash === null) return false
    request.tokenHash = hash
    return true
  }

  fastify.addHook('onRequest', async request => {
    const auth = request.routeOptions.config?.auth ?? 'password'
    // SDKs of Sentry always send the key, except in a preflight request.
    const acceptsOrigin = auth !== 'dsn' || request.method === 'OPTIONS'
    if (auth === 'none' || (acceptsOrigin && connectedOrigin(request, config) !== null)) return
    const credentials = credentialsOf(request) ?? (auth === 'dsn' ? dsnCredentials(request) : null)
    if (credentials !== null) {
      const rateLimitKey = `${credentials.scheme} ${clientAddress(request)}`
      const attempt = rateLimit.start(rateLimitKey, credentials.secret)
      if (!attempt.allowed) {
        const message = 'Too many failed attempts from this address. Try again later.'
        throw new HttpError(429, message, { 'retry-after': Math.ceil(attempt.waitMs / 1000) })
      }
      try {
        if (await isValid(credentials, auth, request)) {
          attempt.cancel()
          return
        }
      } catch (err) {
        attempt.cancel()
        // The token may be valid. OpenTelemetry clients retry after a 503.
        request.log.error({ err }, 'Failed to look up a token')
        const message = 'The token could not be checked and nothing was stored. Send the request again.'
        throw new HttpError(503, message, { 'retry-after': 5 })
      }
      attempt.fail()
    }
    const headers = { 'www-authenticate': 'Basic realm="Sixpane", charset="UTF-8"' }
    throw new HttpError(401, 'Authentication required', headers)
  })
}

type Credentials = { scheme: 'basic' | 'bearer' | 'dsn'; secret: string }

/** https://www.rfc-editor.org/rfc/rfc7617#section-2 and https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
function credentialsOf({ headers }: FastifyRequest): Credentials | null {
  const [, scheme, value] = /^(basic|bearer) +([\w.~+/-]+=*)$/i.exec(headers.authorization ?? '') ?? []
  if (value === undefined) return null
  if (scheme?.toLowerCase() === 'bearer') return { scheme: 'bearer', secret: value }
  const [, secret] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? []
  return secret === undefined ? null : { scheme: 'basic', secret }
}

/** The query or the header contains the key: https://develop.sentry.dev/sdk/foundations/transport/authentication/ */
function dsnCredentials({ headers, query }: FastifyRequest): Credentials | null {
  const inQuery = typeof query === 'object' && query !== null ? Reflect.get(query, 'sentry_key') : undefined
  const inHeader = headers['x-sentry-auth']
  const [, key] =
    typeof inHeader === 'string' ? (/(?:^|[ ,])sentry_key=([\w.~-]+)/i.exec(inHeader) ?? []) : []
  const secret = typeof inQuery === 'string' ? inQuery : key
  return secret === undefined ? null : { scheme: 'dsn', secret }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export default fastifyPlugin(authentication, {
  name: 'authentication',
  fastify: '5.x',
  dependencies: ['headers'],
})
