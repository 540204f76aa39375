import { createHash, timingSafeEqual } from 'node:crypto'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { paths } from '../../shared/paths.ts'
import type { Context } from '../context.ts'
import { connectedOrigin } from '../middleware/browser-origin.ts'
import { createLoginRateLimit } from './login-rate-limit.ts'
import { hashOfToken } from './tokens.ts'

/** Health checks, open to everyone. */
const probes = new Set([paths.livez(), paths.readyz(), paths.lokiReady()])
/** Routes that accept a token instead of the password. A token opens no screen. */
const tokenRoutes = new Set([
  paths.ingest(),
  paths.otlpLogs(),
  paths.otlpTraces(),
  paths.lokiPush(),
  paths.sourceMaps(),
])

/**
 * Requires the password, if one is set, by HTTP Basic with any user name. Services may send a token instead, as
 * `Authorization: Bearer sxp_…` or, if they support Basic only, as the password. Open to everyone are the probes,
 * and `/browser` to pages of the connected web applications.
 */
const access: FastifyPluginAsync<{ context: Pick<Context, 'config' | 'store'> }> = async (
  fastify,
  { context },
) => {
  const { config, store } = context
  if (config.password === null) return
  const password = sha256(config.password)
  const rateLimit = createLoginRateLimit()

  const isRight = async ({ scheme, secret }: Credentials, route: string) =>
    // Hashes of equal length are compared in constant time: the duration says nothing about the password.
    (scheme === 'basic' && timingSafeEqual(sha256(secret), password)) ||
    (tokenRoutes.has(route) && (await store.tokens.has(hashOfToken(secret))))

  fastify.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.url ?? ''
    if (probes.has(route) || connectedOrigin(request, config) !== null) return
    const credentials = credentialsOf(request)
    if (credentials !== null) {
      const address = `${credentials.scheme} ${normalizeIP(request.ip)}`
      const attempt = rateLimit.start(address, credentials.secret)
      if (!attempt.allowed) {
        const message = 'Too many wrong passwords or tokens came from this address: try again later'
        return reply
          .code(429)
          .header('retry-after', Math.ceil(attempt.waitMs / 1000))
          .send({ error: 'Too Many Requests', message })
      }
      try {
        if (await isRight(credentials, route)) {
          attempt.cancel()
          return
        }
      } catch (err) {
        attempt.cancel()
        // The token may be valid. OpenTelemetry clients retry after a 503.
        request.log.error({ err }, 'Failed to look up a token')
        const message = 'The tokens could not be read: nothing was kept, send it again'
        return reply.code(503).header('retry-after', 5).send({ error: 'Service Unavailable', message })
      }
      attempt.fail()
    }
    return reply.code(401).header('www-authenticate', 'Basic realm="Sixpane", charset="UTF-8"').send({
      error: 'Unauthorized',
      message: 'Sign in with the password, or send a token to an ingest endpoint',
    })
  })
}

type Credentials = { scheme: 'basic' | 'bearer'; secret: string }

/** https://www.rfc-editor.org/rfc/rfc7617#section-2 and https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
function credentialsOf({ headers }: FastifyRequest): Credentials | null {
  const [, scheme, value] = /^(basic|bearer) +([\w.~+/-]+=*)$/i.exec(headers.authorization ?? '') ?? []
  if (value === undefined) return null
  if (scheme?.toLowerCase() === 'bearer') return { scheme: 'bearer', secret: value }
  const [, secret] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? []
  return secret === undefined ? null : { scheme: 'basic', secret }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export default fastifyPlugin(access, { name: 'access', fastify: '5.x', dependencies: ['headers'] })
