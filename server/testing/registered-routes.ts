import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Context } from '../context.ts'
import type { RouteAccess } from '../http/route-access.ts'
import { createHttpApp } from '../http-app.ts'

export type RegisteredRoute = { method: string; url: string; access: RouteAccess | undefined }

/**
 * Creates the application and lists all routes that its plugins register.
 * @param onCreate receives the application before it has plugins
 */
export async function createAppWithRoutes(
  context: Context,
  onCreate: (app: FastifyInstance) => void = () => {},
): Promise<{ app: FastifyInstance; routes: RegisteredRoute[] }> {
  const registered: RouteOptions[] = []
  // The hook must exist before the first route: https://fastify.dev/docs/latest/Reference/Hooks/#diagnostics-channel-hooks
  const onCreated = (message: unknown) => {
    if (!isCreated(message)) return
    message.fastify.addHook('onRoute', options => void registered.push(options))
    onCreate(message.fastify)
  }
  subscribe('fastify.initialization', onCreated)
  try {
    const app = await createHttpApp(context)
    await app.ready()
    // Read last, because other hooks change the options.
    const routes = registered.flatMap(({ method, url, config }) =>
      [method].flat().map(each => ({ method: each, url, access: config?.access })),
    )
    return { app, routes }
  } finally {
    unsubscribe('fastify.initialization', onCreated)
  }
}

function isCreated(message: unknown): message is { fastify: FastifyInstance } {
  return typeof message === 'object' && message !== null && 'fastify' in message
}
