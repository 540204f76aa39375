import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Context } from '../context.ts'
import type { RouteAuth } from '../http/route-auth.ts'
import { createHttpApp } from '../http-app.ts'

export type RegisteredRoute = { method: string; url: string; auth: RouteAuth }

/** Creates the application and lists all routes that its plugins register. */
export async function createAppWithRoutes(
  context: Context,
): Promise<{ app: FastifyInstance; routes: RegisteredRoute[] }> {
  const routes: RegisteredRoute[] = []
  const collect = ({ method, url, config }: RouteOptions) => {
    for (const each of [method].flat()) routes.push({ method: each, url, auth: config?.auth ?? 'password' })
  }
  // The hook must exist before the first route: https://fastify.dev/docs/latest/Reference/Hooks/#diagnostics-channel-hooks
  const onCreated = (message: unknown) => {
    if (isCreated(message)) message.fastify.addHook('onRoute', collect)
  }
  subscribe('fastify.initialization', onCreated)
  try {
    const app = await createHttpApp(context)
    await app.ready()
    return { app, routes }
  } finally {
    unsubscribe('fastify.initialization', onCreated)
  }
}

function isCreated(message: unknown): message is { fastify: FastifyInstance } {
  return typeof message === 'object' && message !== null && 'fastify' in message
}
