import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { User } from '../../../shared/user.ts'
import type { Config } from '../../settings/config.ts'
import type { Replicas } from '../../store/replicas.ts'
import type { SessionStore } from '../../store/session-store.ts'
import { hostCookie } from './host-cookie.ts'
import { signedValue } from './signed-value.ts'

/** After this time, users must sign in again, and get the role that the settings then grant. */
const sessionMs = 8 * 3_600_000

const cookieName = '__Host-sixpane_session'
/** Browsers ignore cookies of more than 4096 bytes, including the name. */
const maxCookieLength = 4000

const schema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: Type.Union([Type.Literal('viewer'), Type.Literal('member'), Type.Literal('admin')]),
  services: Type.Union([Type.Array(Type.String()), Type.Null()]),
  expiresMs: Type.Number(),
})

export type Session = User & { name: string; id: string; expiresMs: number }

export type Sessions = {
  /** Sets the cookie of a new session. Returns `false` if the user's list of services does not fit in a cookie. */
  start(user: User & { name: string }, reply: FastifyReply): boolean
  /** Returns the session of a request, or `null` if there is none or it has ended. */
  of(request: Pick<FastifyRequest, 'cookies'>): Session | null
  /** Ends the session of a request, in all tabs and on all devices with this cookie. */
  end(request: Pick<FastifyRequest, 'cookies'>, reply: FastifyReply): Promise<void>
}

/**
 * Sessions are signed cookies. The signing key depends on the provider and role settings, so changing one of them ends all
 * sessions. Only ended sessions are stored.
 */
export async function createSessions(
  config: Pick<Config, 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'admins' | 'members' | 'viewers'>,
  { endedSessions: store, replicas }: { endedSessions: SessionStore; replicas: Pick<Replicas, 'onState'> },
  nowMs: () => number = Date.now,
): Promise<Sessions> {
  const { oidcIssuer, oidcClientId, oidcClientSecret, admins, members, viewers } = config
  const purpose = `session ${JSON.stringify([oidcIssuer, oidcClientId, admins, members, viewers])}`
  const signed = signedValue(schema, oidcClientSecret, purpose)
  const ended = new Set<string>()
  const readEnded = async () => {
    for (const id of await store.ended(nowMs())) ended.add(id)
  }
  await readEnded()
  // If reading fails, the ended sessions are read again when the stored state next changes.
  replicas.onState(() => readEnded().catch(() => {}))
  const sessionOf: Sessions['of'] = ({ cookies }) => {
    const session = signed.read(cookies[cookieName] ?? '')
    return session === null || session.expiresMs <= nowMs() || ended.has(session.id) ? null : session
  }
  return {
    start({ name, role, services }, reply) {
      const expiresMs = nowMs() + sessionMs
      const value = signed.write({
        id: randomUUID(),
        name,
        role,
        services: services && [...services],
        expiresMs,
      })
      if (value.length > maxCookieLength) return false
      reply.setCookie(cookieName, value, { ...hostCookie, maxAge: sessionMs / 1000 })
      return true
    },
    of: sessionOf,
    async end(request, reply) {
      const session = sessionOf(request)
      if (session !== null) {
        await store.end(session.id, session.expiresMs)
        ended.add(session.id)
      }
      reply.clearCookie(cookieName, hostCookie)
    },
  }
}
