import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { paths } from '../../shared/paths.ts'
import type { Context } from '../context.ts'
import { readAccess } from '../http/route-access.ts'
import { routeDependencies } from '../http/route-dependencies.ts'

/** Serves the precompressed build files. They are immutable, because their names contain a content hash. */
const assets: FastifyPluginAsync<{ context: Pick<Context, 'build'> }> = async (fastify, { context }) => {
  await fastify.register(async scope => {
    scope.addHook('onRoute', route => {
      route.config = { ...route.config, access: readAccess }
    })
    await scope.register(fastifyStatic, {
      root: context.build.assetsFolder,
      prefix: paths.asset(''),
      index: false,
      immutable: true,
      maxAge: '365d',
      preCompressed: true,
      decorateReply: false,
    })
  })
}

export default fastifyPlugin(assets, { name: 'assets', fastify: '5.x', dependencies: routeDependencies })
