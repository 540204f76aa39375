import { generateKeyPairSync, sign } from 'node:crypto'
import t from 'tap'
import { createProvider } from './provider.ts'

const issuer = 'https://sso.example'
const client = { oidcIssuer: issuer, oidcClientId: 'sixpane', oidcClientSecret: 'secret' }
const attempt = { state: 'a state', nonce: 'a nonce', codeVerifier: 'v'.repeat(43), returnTo: '/' }
const currentUrl = new URL(`https://sixpane.example/sign-in/callback?code=c&state=${attempt.state}`)

/** A provider that accepts the sign-in, and responds to the UserInfo request as given. */
function providerWith(userInfo: Response, claims: object = {}) {
  return createProvider(client, async url => {
    if (url === `${issuer}/userinfo`) return userInfo
    if (url === `${issuer}/keys`) return Response.json({ keys: [keys.publicKey.export({ format: 'jwk' })] })
    if (url === `${issuer}/token`)
      return Response.json({ access_token: 'a', token_type: 'Bearer', id_token: idToken(claims) })
    return Response.json({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
    })
  })
}

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })

function idToken(more: object): string {
  const nowS = Math.floor(Date.now() / 1000)
  const required = {
    iss: issuer,
    aud: 'sixpane',
    sub: 'ada',
    nonce: attempt.nonce,
    iat: nowS,
    exp: nowS + 60,
  }
  const claims = { ...required, ...more }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'RS256' })}.${part(claims)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), keys.privateKey).toString('base64url')}`
}

/** Returns how Sixpane sends the client secret to a provider with this metadata, and the error after a rejection. */
async function signIn(metadata: { token_endpoint_auth_methods_supported?: string[] }) {
  const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }
  let sent = {}
  const provider = createProvider(client, async (url, { headers, body }) => {
    if (url !== endpoints.token_endpoint) return Response.json({ issuer, ...endpoints, ...metadata })
    sent = {
      header: new Headers(headers).get('authorization'),
      parameter: new URLSearchParams(String(body)).get('client_secret'),
    }
    return new Response(null, { status: 401, headers: { 'www-authenticate': 'Basic realm="sso"' } })
  })
  const error = await provider.identityOf(currentUrl, attempt).catch((thrown: unknown) => thrown)
  return { sent, error }
}

const basic = { header: `Basic ${Buffer.from('sixpane:secret').toString('base64')}`, parameter: null }
const post = { header: null, parameter: 'secret' }

t.test('sends the client secret with a method that the provider accepts, by default in a header', async t => {
  for (const [methods, expected] of [
    [['client_secret_basic'], basic],
    [['client_secret_basic', 'client_secret_post'], post],
    [['client_secret_post'], post],
  ] as const)
    t.same((await signIn({ token_endpoint_auth_methods_supported: [...methods] })).sent, expected)
  t.same((await signIn({})).sent, basic)
})

t.test(
  "sign-in requests share the provider's metadata for a minute, and a failure to read it for five seconds",
  async t => {
    let nowMs = Date.now()
    t.capture(Date, 'now', () => nowMs)
    let requests = 0
    const provider = createProvider(client, async () => {
      requests += 1
      if (requests === 1) return new Response(null, { status: 429 })
      return Response.json({ issuer, authorization_endpoint: `${issuer}/auth` })
    })
    const start = () => provider.authorizationUrl(attempt, currentUrl.href)
    for (let time = 0; time < 2; time += 1) await t.rejects(start(), { name: 'SignInError', status: 503 })
    t.equal(requests, 1)
    nowMs += 5_000
    await Promise.all([start(), start()])
    await provider.endSessionUrl(currentUrl.href)
    t.equal(requests, 2)
    nowMs += 60_000
    await start()
    t.equal(requests, 3)
  },
)

t.test('says so if the provider rejects the client secret', async t => {
  const { error } = await signIn({})
  t.match(error, {
    name: 'SignInError',
    status: 502,
    message: /sso\.example did not accept .* client secret/,
  })
})

t.test('does not blame the client secret if the provider rejects the UserInfo request', async t => {
  const headers = { 'www-authenticate': 'Bearer error="insufficient_scope"' }
  const provider = providerWith(new Response(null, { status: 403, headers }))
  const signingIn = provider.identityOf(currentUrl, attempt)
  await t.rejects(signingIn, {
    name: 'SignInError',
    message: /can’t verify/,
    cause: { message: /UserInfo/, cause: { code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' } },
  })
})

t.test('an address is verified only if the response that contains it says so', async t => {
  const emailIn = async (claims: object, userInfo: object) => {
    const provider = providerWith(Response.json({ sub: 'ada', ...userInfo }), claims)
    return (await provider.identityOf(currentUrl, attempt)).email
  }
  const verified = { email: 'ada@team.example', email_verified: true }
  t.equal(await emailIn(verified, {}), 'ada@team.example')
  t.equal(await emailIn({}, verified), 'ada@team.example')
  t.equal(await emailIn(verified, { email: 'boss@team.example' }), null)
  for (const more of [{ name: 'Ada' }, { email: verified.email }])
    t.equal(await emailIn(verified, more), 'ada@team.example')
})

t.test('an optional claim may be a single string; any other unexpected value counts as absent', async t => {
  const identityWith = (claims: object, userInfo: object = {}) =>
    providerWith(Response.json({ sub: 'ada', ...userInfo }), claims).identityOf(currentUrl, attempt)
  const nobody = { name: 'ada', email: null, groups: [] }
  const ada = { email: 'ada@team.example', email_verified: true }
  for (const [claims, expected] of [
    [{ groups: 'sre', roles: ['admin'] }, { groups: ['sre', 'admin'] }],
    [{ groups: ['sre', 7, null, { name: 'x' }], roles: [{ name: 'x' }] }, { groups: ['sre'] }],
    [{ groups: null, roles: { name: 'x' } }, nobody],
    [{ groups: 7, roles: true, email: null, email_verified: null, preferred_username: null }, nobody],
    [{ email: ['ada@team.example'], email_verified: true }, nobody],
    [{ ...ada, email_verified: 'true' }, { email: 'ada@team.example' }],
    [{ ...ada, email_verified: 'false' }, nobody],
    [{ ...ada, email_verified: ['true'] }, nobody],
    [{ ...ada, email_verified: 1 }, nobody],
    [{ preferred_username: ['boss'] }, nobody],
  ] as const)
    t.match(await identityWith(claims), expected, JSON.stringify(claims))
  t.match(await identityWith(ada, { email: null }), nobody)
  t.match(await identityWith({ groups: ['sre'] }, { groups: null }), nobody)
})
