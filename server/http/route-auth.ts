/**
 * The credentials that a route accepts if a password is set:
 * - `password`: the password only. This is the default.
 * - `token`: the password or a service token.
 * - `dsn`: the password, a token, or its key in a Sentry DSN. Pages of connected web applications may send requests.
 * - `browser-origin`: the password, or no credentials if the request comes from a page of a connected web application.
 * - `none`: no credentials.
 */
export type RouteAuth = 'password' | 'token' | 'dsn' | 'browser-origin' | 'none'

declare module 'fastify' {
  interface FastifyContextConfig {
    auth?: RouteAuth
  }
  interface FastifyRequest {
    /** The hash of the request's valid token. Not set if the request contains the password, or if no password is set. */
    tokenHash?: string | null
  }
}
