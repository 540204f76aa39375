import type { FastifyRequest } from 'fastify'
import type { TokenScope } from '../../shared/token.ts'
import { includesRole, type Role, type User } from '../../shared/user.ts'
import { HttpError } from './http-error.ts'

/**
 * Who may send requests to a route if visitors must sign in. A route without this declaration is for administrators.
 * `public` routes need no credentials.
 */
export type RouteAccess = 'public' | RestrictedAccess

export type RestrictedAccess = {
  /** Users need this role or a higher one. */
  role: Role
  /** Tokens with this scope, or all valid tokens, may use the route too. */
  scope?: TokenScope | 'any'
  /**
   * Pages of connected web applications may send requests: `reports` without credentials, `dsn` with the key of a token in a
   * Sentry DSN.
   */
  pages?: 'reports' | 'dsn'
  /** Users and tokens that are limited to certain services may not use the route. */
  needsAllServices?: true
  /** Even a GET request has an effect, so pages of other sites may not cause one. */
  rejectsCrossSite?: true
}

/** For routes that only read. */
export const readAccess: RestrictedAccess = { role: 'viewer', scope: 'read' }

/** For unknown paths, so that the response says that the path is wrong instead of rejecting a valid token. */
export const unknownPathAccess: RestrictedAccess = { role: 'viewer', scope: 'any' }

/** For routes that receive source maps and releases from builds. */
export const uploadAccess: RestrictedAccess = { role: 'member', scope: 'source-maps' }

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess
  }
  interface FastifyRequest {
    /**
     * The sender of the request. If sign-in is required, this is `null` on public routes, and for reports and preflight
     * requests from pages of connected web applications.
     */
    user: User | null
    /**
     * The token that the request was authenticated with; `null` if there is none. `isPublic` means that the request
     * contained only the key in a DSN, which every visitor of the web application can read.
     */
    token: { id: string; services: readonly string[] | null; isPublic: boolean } | null
    /**
     * Whether the sender still has the access that the request had when it arrived. Needed for long responses, during which
     * the token may be revoked or the user may sign out.
     */
    hasAccess(): Promise<boolean>
  }
}

/**
 * Returns the sender of a request to a restricted route.
 * @throws Error if the route is public
 */
export function userOf({ user }: Pick<FastifyRequest, 'user'>): User {
  if (user === null) throw new Error('A public route has no user')
  return user
}

/** @throws HttpError 403 if the user does not have the role or a higher one */
export function requireRole({ role }: User, needed: Role): void {
  if (!includesRole(role, needed))
    throw new HttpError(403, `This requires the role ${needed}, but yours is ${role}. Ask an administrator`)
}
