import type { FastifyInstance } from 'fastify'
import { passwordPath, paths } from '../../shared/paths.ts'
import { HttpError } from '../http/http-error.ts'
import type { SignInMethod } from './sign-in-method.ts'

/** The `WWW-Authenticate` header that makes the browser ask for the password. */
export const basicChallenge = 'Basic realm="Sixpane", charset="UTF-8"'

/** The browser asks for the password and sends it with every request. */
export const passwordSignIn: SignInMethod = {
  userOf: () => null,
  async challenge() {
    throw new HttpError(401, 'Authentication required', { 'www-authenticate': basicChallenge })
  },
}

/** Adds the route at which browsers ask for the password if users normally sign in otherwise. */
export function addPasswordPage(fastify: FastifyInstance): void {
  const access = { role: 'admin' } as const
  fastify.get(passwordPath, { config: { access }, exposeHeadRoute: false }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').redirect(paths.home(), 303),
  )
}
