/**
 * The credentials that a route accepts if a password is set:
 * - `password`: the password only. This is the default.
 * - `token`: the password or a token of a service.
 * - `browser-origin`: the password, or no credentials for pages of the connected web applications.
 * - `none`: no credentials.
 */
export type RouteAuth = 'password' | 'token' | 'browser-origin' | 'none'

declare module 'fastify' {
  interface FastifyContextConfig {
    auth?: RouteAuth
  }
  interface FastifyRequest {
    /** The hash of the valid token that a request has sent; not set for the password, and without a password. */
    tokenHash?: string | null
  }
}
