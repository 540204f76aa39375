import helmet from '@fastify/helmet'
import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { failureStyleSource } from '../render/failure-page.ts'

/**
 * The headers that every response carries. The policy allows what the build made and nothing else: no inline
 * script, no inline style but the failure page's own, no other host.
 */
const headers: FastifyPluginAsync = async fastify => {
  await fastify.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", failureStyleSource],
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
