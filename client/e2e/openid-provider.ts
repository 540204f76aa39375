import { createPrivateKey, generateKeyPairSync, type JsonWebKey, sign as signBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import Provider from 'oidc-provider'
import { freePort } from '../cli/local-server.ts'

export const clientId = 'sixpane'
export const clientSecret = 'a secret of the client'

type Claims = Record<string, unknown>
type SigningKey = JsonWebKey & { kid: string; alg: string; use: string }

/** A real OpenID provider, whose users need no password. */
export type OpenIdProvider = {
  issuer: string
  /** Changes the claims of later ID tokens, and signs the tokens again. With `null`, later tokens are not changed. */
  setClaims(change: ((claims: Claims) => Claims) | null): void
  /** Restarts with a new signing key. Users must sign in with the provider again. */
  rotateKeys(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a provider that accepts every user name, except that an empty name cancels the sign-in. The user `ada` has the
 * e-mail address `ada@team.example`. The addresses of users whose names start with `unverified` are not verified. Each
 * part of the user name after a dot is a group: `bob.partners`.
 * @param redirectOrigins the origins of Sixpane
 */
export async function startOpenIdProvider(redirectOrigins: readonly string[]): Promise<OpenIdProvider> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  let change: ((claims: Claims) => Claims) | null = null
  let server: Server | null = null
  let key = newKey()

  const start = async () => {
    if (server !== null) return
    const provider = createProvider(issuer, key, redirectOrigins)
    provider.use(async (context, next) => {
      await next()
      const { body } = context
      if (change === null || context.path !== '/token' || typeof body !== 'object' || body === null) return
      const { id_token } = body as { id_token?: string }
      if (id_token !== undefined) context.body = { ...body, id_token: sign(change(claimsOf(id_token)), key) }
    })
    server = createServer(async (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
      if (request.method === 'GET') {
        response.setHeader('content-type', 'text/html')
        return response.end(loginPage)
      }
      const user = new URLSearchParams(await text(request)).get('user') ?? ''
      const { grantId, params } = await provider.interactionDetails(request, response)
      if (user === '') return provider.interactionFinished(request, response, { error: 'access_denied' })
      const grant =
        grantId === undefined
          ? new provider.Grant({ accountId: user, clientId: String(params.client_id) })
          : await provider.Grant.find(grantId)
      grant?.addOIDCScope('openid email profile')
      const consent = { grantId: (await grant?.save()) ?? '' }
      return provider.interactionFinished(request, response, { login: { accountId: user }, consent })
    }).listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const stop = async () => {
    if (server === null) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    server = null
  }
  await start()
  return {
    issuer,
    setClaims(next) {
      change = next
    },
    async rotateKeys() {
      await stop()
      key = newKey()
      await start()
    },
    stop,
  }
}

const loginPage = `<!DOCTYPE html><html lang="en"><title>Provider</title><link rel="icon" href="data:,">
<form method="post"><label>User <input name="user"></label><button>Continue</button></form></html>`

function newKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: String(Math.random()) }
}

/** Signs a JSON web token: https://www.rfc-editor.org/rfc/rfc7519 */
function sign(claims: Claims, key: SigningKey): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${encode({ alg: key.alg, kid: key.kid })}.${encode(claims)}`
  const signature = signBytes('sha256', Buffer.from(signed), createPrivateKey({ key, format: 'jwk' }))
  return `${signed}.${signature.toString('base64url')}`
}

function claimsOf(token: string): Claims {
  const claims: Claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return claims
}

function createProvider(issuer: string, key: SigningKey, redirectOrigins: readonly string[]): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirectOrigins.map(origin => `${origin}/sign-in/callback`),
        post_logout_redirect_uris: redirectOrigins.map(origin => `${origin}/signed-out`),
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['a key for cookies'] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username', 'groups'],
    },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        email: `${accountId}@team.example`,
        email_verified: !accountId.startsWith('unverified'),
        groups: accountId.split('.').slice(1),
      }),
    }),
  })
}
