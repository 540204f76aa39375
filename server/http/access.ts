import { createHash, timingSafeEqual } from 'node:crypto'
import basicAuth from '@fastify/basic-auth'
import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { paths } from '../../shared/paths.ts'
import type { Context } from '../context.ts'

const probes = new Set([paths.livez(), paths.readyz()])

/** Asks for the password, where there is one, on everything but the probes. Any user name will do. */
const access: FastifyPluginAsync<{ context: Pick<Context, 'config'> }> = async (fastify, { context }) => {
  const { password } = context.config
  if (password === null) return
  const expected = sha256(password)
  await fastify.register(basicAuth, {
    authenticate: { realm: 'Sixpane' },
    // Hashes of one length are compared in constant time: nothing of the password shows in how long it takes.
    validate: async (_name, given) => {
      if (!timingSafeEqual(sha256(given), expected)) throw new Error('The password is wrong')
    },
  })
  fastify.addHook('onRequest', (request, reply, done) => {
    if (probes.has(request.routeOptions.url ?? '')) done()
    else fastify.basicAuth(request, reply, done)
  })
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export default fastifyPlugin(access, { name: 'access', fastify: '5.x', dependencies: ['headers'] })
