import helmet from '@fastify/helmet'
import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

/**
 * Sets the security headers of every response. The Content-Security-Policy allows only files from the build: no other
 * hosts, no inline scripts, and only inline styles whose hashes are in `styleSources`.
 */
const headers: FastifyPluginAsync<{ styleSources: readonly string[] }> = async (
  fastify,
  { styleSources },
) => {
  await fastify.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", ...styleSources],
        'img-src': ["'self'", 'data:'],
        'connect-src': ["'self'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  })
}

export default fastifyPlugin(headers, { name: 'headers', fastify: '5.x' })
