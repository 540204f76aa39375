import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { splitUrl } from '../../http/request-url.ts'
import { hostCookie } from './host-cookie.ts'
import { signedValue } from './signed-value.ts'

/** How long a user may take to sign in with the provider. */
const lifetimeMs = 15 * 60_000

/** Web servers often limit the first line of a request to 8 KB. */
const maxReturnToLength = 1500

const cookieName = '__Host-sixpane_sign_in'
const secretShape = /^[\w-]{43}$/

const schema = Type.Object({
  id: Type.String(),
  /** Path and query of the page that the user wanted to see. */
  returnTo: Type.String(),
  /** A hash of the browser's secret. */
  browser: Type.String(),
  expiresMs: Type.Number(),
})

/**
 * The `state` parameter of an attempt, the values that bind the authorization code to this browser and attempt, and the page
 * to return to.
 */
export type SignInAttempt = { state: string; nonce: string; codeVerifier: string; returnTo: string }

/**
 * Manages a browser's sign-in attempts. The `state` parameter contains an attempt, so that several tabs can sign in at the
 * same time, and a cookie contains a secret for the browser. The nonce and the code verifier are derived from both, so a
 * response that another browser requested is useless (https://www.rfc-editor.org/rfc/rfc9700#section-2.1).
 */
export function createSignInStates(clientSecret: string, nowMs: () => number = Date.now) {
  const signed = signedValue(schema, clientSecret, 'sign-in')
  const secretOf = ({ cookies }: Pick<FastifyRequest, 'cookies'>) => {
    const secret = cookies[cookieName] ?? ''
    return secretShape.test(secret) ? secret : null
  }
  const attempt = (state: string, id: string, secret: string, returnTo: string): SignInAttempt => ({
    state,
    returnTo,
    nonce: derive('nonce', id, secret),
    codeVerifier: derive('code verifier', id, secret),
  })
  return {
    /** Starts an attempt, and sets the cookie. If the URL is long, the attempt contains only its path. */
    start(request: Pick<FastifyRequest, 'cookies'>, reply: FastifyReply, url: string): SignInAttempt {
      const returnTo = url.length > maxReturnToLength ? splitUrl(url).path : url
      const secret = secretOf(request) ?? randomBytes(32).toString('base64url')
      const id = randomBytes(16).toString('base64url')
      const browser = derive('browser', '', secret)
      const state = signed.write({ id, returnTo, browser, expiresMs: nowMs() + lifetimeMs })
      reply.setCookie(cookieName, secret, { ...hostCookie, maxAge: lifetimeMs / 1000 })
      return attempt(state, id, secret, returnTo)
    },
    /**
     * Returns the attempt in a `state` parameter, or `null` if the parameter is invalid or expired, or the browser has no
     * secret. If the attempt was started with another secret, returns only `returnTo`, because tabs that start without a
     * cookie replace each other's secrets.
     */
    read(
      state: string,
      request: Pick<FastifyRequest, 'cookies'>,
    ): SignInAttempt | Pick<SignInAttempt, 'returnTo'> | null {
      const stored = signed.read(state)
      const secret = secretOf(request)
      if (stored === null || secret === null || stored.expiresMs <= nowMs()) return null
      const { id, returnTo } = stored
      const isSameSecret = timingSafeEqual(
        Buffer.from(derive('browser', '', secret)),
        Buffer.from(stored.browser.padEnd(43).slice(0, 43)),
      )
      return isSameSecret ? attempt(state, id, secret, returnTo) : { returnTo }
    },
  }
}

function derive(purpose: string, id: string, secret: string): string {
  return createHash('sha256')
    .update(JSON.stringify([purpose, id, secret]))
    .digest('base64url')
}
