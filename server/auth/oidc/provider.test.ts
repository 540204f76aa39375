import t from 'tap'
import { createProvider } from './provider.ts'

const issuer = 'https://sso.example'
const attempt = { state: 'a state', nonce: 'a nonce', codeVerifier: 'v'.repeat(43), returnTo: '/' }
const currentUrl = new URL(`https://sixpane.example/sign-in/callback?code=c&state=${attempt.state}`)

/** Returns how Sixpane sends the client secret to a provider with this metadata, and the error if the provider rejects it. */
async function signIn(metadata: { token_endpoint_auth_methods_supported?: string[] }) {
  const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }
  let sent = {}
  const provider = createProvider(
    { oidcIssuer: issuer, oidcClientId: 'sixpane', oidcClientSecret: 'secret' },
    async (url, { headers, body }) => {
      if (url !== endpoints.token_endpoint) return Response.json({ issuer, ...endpoints, ...metadata })
      sent = {
        header: new Headers(headers).get('authorization'),
        parameter: new URLSearchParams(String(body)).get('client_secret'),
      }
      return new Response(null, { status: 401, headers: { 'www-authenticate': 'Basic realm="sso"' } })
    },
  )
  const error = await provider.identityOf(currentUrl, attempt).catch((thrown: unknown) => thrown)
  return { sent, error }
}

const basic = { header: `Basic ${Buffer.from('sixpane:secret').toString('base64')}`, parameter: null }
const post = { header: null, parameter: 'secret' }

t.test('sends the client secret as the provider accepts it, by default in a header', async t => {
  for (const [methods, expected] of [
    [['client_secret_basic'], basic],
    [['client_secret_basic', 'client_secret_post'], post],
    [['client_secret_post'], post],
  ] as const)
    t.same((await signIn({ token_endpoint_auth_methods_supported: [...methods] })).sent, expected)
  t.same((await signIn({})).sent, basic)
})

t.test('says so if the provider rejects the client secret', async t => {
  const { error } = await signIn({})
  t.match(error, {
    name: 'SignInError',
    status: 502,
    message: /sso\.example did not accept .* client secret/,
  })
})
