import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { routeDependencies } from '../http/route-dependencies.ts'

/** Registers empty plugins in place of a plugin's dependencies. Default: the dependencies of every route. */
export function stubPlugins(app: FastifyInstance, names: readonly string[] = routeDependencies): void {
  for (const name of names) app.register(fastifyPlugin(async () => {}, { name }))
}
