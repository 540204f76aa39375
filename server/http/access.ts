import { createHash, timingSafeEqual } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { paths } from '../../shared/paths.ts'
import type { Context } from '../context.ts'
import { hashOfToken } from '../tokens.ts'
import { connectedOrigin } from './browser-origin.ts'
import { createGuesses } from './guesses.ts'

/** What machines ask for before anything else. */
const probes = new Set([paths.livez(), paths.readyz(), paths.lokiReady()])
/** What a token lets in. It opens no screen. */
const waysIn = new Set([
  paths.ingest(),
  paths.otlpLogs(),
  paths.otlpTraces(),
  paths.lokiPush(),
  paths.sourceMaps(),
])

/**
 * Where there is a password, asks for it: by HTTP Basic, with any user name. Services may show a token in its
 * place, as `Authorization: Bearer sxp_…` or, where they know Basic only, as the password. Open are the probes, and
 * `/browser` for the visitors of connected web applications.
 */
const access: FastifyPluginAsync<{ context: Pick<Context, 'config' | 'store'> }> = async (
  fastify,
  { context },
) => {
  const { config, store } = context
  if (config.password === null) return
  const password = sha256(config.password)
  const guesses = createGuesses()

  const isRight = async ({ scheme, secret }: Credentials, route: string) =>
    // Hashes of one length are compared in constant time: nothing of the password shows in how long it takes.
    (scheme === 'basic' && timingSafeEqual(sha256(secret), password)) ||
    (waysIn.has(route) && (await store.tokens.has(hashOfToken(secret))))

  fastify.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.url ?? ''
    if (probes.has(route) || connectedOrigin(request, config) !== null) return
    const given = credentialsOf(request)
    if (given !== null) {
      const from = `${given.scheme} ${rateLimit.normalizeIP(request.ip)}`
      const waitMs = guesses.waitMs(from)
      if (waitMs > 0) {
        const message = 'Too many wrong passwords or tokens came from this address: try again later'
        return reply
          .code(429)
          .header('retry-after', Math.ceil(waitMs / 1000))
          .send({ error: 'Too Many Requests', message })
      }
      try {
        if (await isRight(given, route)) return
      } catch (err) {
        // Nobody can say that it is wrong, and clients of OpenTelemetry send again what was answered with 503 alone.
        request.log.error({ err }, 'Failed to look up a token')
        const message = 'The tokens could not be read: nothing was kept, send it again'
        return reply.code(503).header('retry-after', 5).send({ error: 'Service Unavailable', message })
      }
      guesses.wrong(from, given.secret)
    }
    return reply
      .code(401)
      .header('www-authenticate', 'Basic realm="Sixpane", charset="UTF-8"')
      .send({ error: 'Unauthorized', message: 'Sign in with the password, or send a token to a way in' })
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
