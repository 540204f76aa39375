import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import fc from 'fast-check'
import Fastify from 'fastify'
import t from 'tap'
import { isLoopback } from './addresses.ts'
import { ConfigError, readConfig } from './config.ts'
import { allSettings } from './table.ts'

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

t.test('an empty environment produces the default settings', async t => {
  t.match(readConfig({}), { host: '127.0.0.1', port: 3000, logLevel: 'info', password: null, drill: false })
  t.ok(Object.isFrozen(readConfig({})))
})

t.test('reports all invalid variables at once, without their values', async t => {
  const invalid = {
    HOST: 'no-address!',
    PORT: '70000',
    LOG_LEVEL: 'loud',
    SIXPANE_PASSWORD: 'short',
    SIXPANE_AUTH: 'maybe',
    SIXPANE_DRILL: 'yes',
    SIXPANE_RETENTION_DAYS: '-1',
    SIXPANE_RETENTION_GB: 'much',
    SIXPANE_INGEST_LIMIT_MB: '0',
    SIXPANE_PUBLIC_URL: 'somewhere.test',
    SIXPANE_BROWSER_ORIGINS: 'https://shop.example/cart',
    SIXPANE_TRUST_PROXY: 'my-proxy',
    SIXPANE_SOURCEMAPS_MB: 'plenty',
    SIXPANE_REDACT: 'user[0].email',
  }
  const text = problemsOf(invalid).join('\n')
  for (const [name, value] of Object.entries(invalid)) {
    t.match(text, name)
    if (Number.isNaN(Number(value))) t.notMatch(text, value)
  }
})

t.test('a non-loopback address requires sign-in or SIXPANE_AUTH=none', async t => {
  t.match(problemsOf({ HOST: '0.0.0.0' })[0], /SIXPANE_PASSWORD.*SIXPANE_AUTH=proxy or none/)
  t.same(problemsOf({ HOST: '0.0.0.0', SIXPANE_PASSWORD: 'short' }), [
    'SIXPANE_PASSWORD must have at least 8 characters',
  ])
  t.same(problemsOf({ HOST: '0.0.0.0', SIXPANE_PASSWORD: 'long enough' }), [])
  t.same(problemsOf({ HOST: '0.0.0.0', SIXPANE_PASSWORD: 'sxp_long enough' }), [
    'SIXPANE_PASSWORD must not start with sxp_, like a token',
  ])
  t.same(problemsOf({ HOST: '::', SIXPANE_AUTH: 'none' }), [])
  for (const HOST of ['127.0.0.1', '127.9.9.9', '::1', 'localhost']) t.same(problemsOf({ HOST }), [])
  t.match(problemsOf({ HOST: 'fe80::1%eth0' }), [/^HOST must be an IP address without a zone/])
})

t.test('localhost means 127.0.0.1, because a shutdown would not wait for connections to ::1', async t => {
  const { host, publicOrigin } = readConfig({ HOST: 'localhost' })
  t.same([host, publicOrigin], ['127.0.0.1', 'http://127.0.0.1:3000'])
})

t.test('the examples in docs/sign-in.md are valid, and a proxy on another machine can connect', async t => {
  const text = readFileSync(new URL('../../docs/sign-in.md', import.meta.url), 'utf8')
  const examples = [...text.matchAll(/```sh\n([^`]*)```/g)].map(([, code = '']) => {
    const lines = [...code.matchAll(/^(\w+)=(\S+)/gm)]
    return Object.fromEntries(lines.map(([, name, value]) => [name, value === '…' ? 'x'.repeat(16) : value]))
  })
  t.match(examples.map(readConfig), [{ signIn: 'oidc' }, { signIn: 'proxy', host: '0.0.0.0' }])
})

t.test('sign-in with OpenID or a proxy requires all of its settings and at least one role', async t => {
  const oidc = {
    SIXPANE_OIDC_ISSUER: 'https://sso.example/realms/team',
    SIXPANE_OIDC_CLIENT_ID: 'sixpane',
    SIXPANE_OIDC_CLIENT_SECRET: 'a secret of the client',
  }
  t.same(problemsOf({ HOST: '0.0.0.0', ...oidc, SIXPANE_ADMINS: 'ada@team.example' }), [], 'four variables')
  t.equal(readConfig({ ...oidc, SIXPANE_ADMINS: 'sre' }).signIn, 'oidc')
  t.same(problemsOf(oidc), [
    'SIXPANE_OIDC_ISSUER must be set together with SIXPANE_ADMINS, SIXPANE_MEMBERS or SIXPANE_VIEWERS (who may sign in)',
  ])
  t.match(problemsOf({ SIXPANE_OIDC_CLIENT_ID: 'sixpane', SIXPANE_ADMINS: '*' }), [
    /^SIXPANE_OIDC_CLIENT_ID must be set together with SIXPANE_OIDC_ISSUER and SIXPANE_OIDC_CLIENT_SECRET$/,
  ])
  t.match(problemsOf({ ...oidc, SIXPANE_ADMINS: '*', SIXPANE_AUTH: 'none' }), [/must not be set together/])
  for (const issuer of [
    'http://sso.example',
    'sso.example',
    'https://a:b@sso.example',
    'https://sso.example/?x',
  ])
    t.match(problemsOf({ ...oidc, SIXPANE_ADMINS: '*', SIXPANE_OIDC_ISSUER: issuer }), [
      /^SIXPANE_OIDC_ISSUER must/,
    ])
  for (const issuer of ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])
    t.same(problemsOf({ ...oidc, SIXPANE_ADMINS: '*', SIXPANE_OIDC_ISSUER: issuer }), [], issuer)
  const proxy = { SIXPANE_AUTH: 'proxy', SIXPANE_TRUST_PROXY: '10.0.0.1', SIXPANE_VIEWERS: '*' }
  t.equal(readConfig({ HOST: '0.0.0.0', ...proxy }).signIn, 'proxy')
  t.match(problemsOf({ ...proxy, SIXPANE_TRUST_PROXY: '' }), [/SIXPANE_TRUST_PROXY/])
  t.match(problemsOf({ ...proxy, SIXPANE_VIEWERS: '' }), [/SIXPANE_ADMINS/])
  t.match(problemsOf({ SIXPANE_PASSWORD: 'long enough', SIXPANE_ADMINS: 'sre' }), [
    /need SIXPANE_OIDC_ISSUER/,
  ])
  for (const roles of ['a=b', 'a='.repeat(3), '=shop', 'sre+ops', '@team.example+sre'])
    t.match(problemsOf({ ...proxy, SIXPANE_ADMINS: roles }), [/^SIXPANE_ADMINS must/], roles)
  t.same(readConfig({ ...proxy, SIXPANE_VIEWERS: '@Team.example, partners=shop + cart' }).viewers, [
    { who: '@team.example', services: null },
    { who: 'partners', services: ['shop', 'cart'] },
  ])
  const aliases = 'ada+ops@team.example,bob+x+y@team.example=shop+cart'
  t.same(readConfig({ ...proxy, SIXPANE_VIEWERS: aliases }).viewers, [
    { who: 'ada+ops@team.example', services: null },
    { who: 'bob+x+y@team.example', services: ['shop', 'cart'] },
  ])
})

t.test('a host name that looks like a loopback address is not treated as one', async t => {
  for (const host of [
    '127.0.0.1.evil.example',
    '127.evil',
    '127.1',
    'localhost.evil.example',
    '::1.evil',
    '',
  ]) {
    t.notOk(isLoopback(host), host)
  }
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.ipV6(), fc.string()), host => {
      fc.pre(!['localhost', '::1'].includes(host) && !isIPv4(host))
      return !isLoopback(host) && !isLoopback(`127.0.0.1.${host}`) && !isLoopback(`127.${host}`)
    }),
  )
  fc.assert(fc.property(fc.ipV4(), host => isLoopback(host) === host.startsWith('127.')))
})

t.test('trusted proxies are addresses or CIDR ranges', async t => {
  t.same(readConfig({}).trustedProxies, [])
  t.same(readConfig({ SIXPANE_TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,::1,fd00::/8' }).trustedProxies, [
    '127.0.0.1',
    '10.0.0.0/8',
    '::1',
    'fd00::/8',
  ])
  const wrong = ['true', '1', '*', 'loopback', 'proxy.example', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/8/8']
  for (const range of [...wrong, '0.0.0.0/0', '::/0', '::/129', '10.0.0.0/255.0.0.0', 'fe80::1%eth0']) {
    t.match(problemsOf({ SIXPANE_TRUST_PROXY: range })[0], /^SIXPANE_TRUST_PROXY must be/, range)
  }
})

t.test('Fastify accepts every list of trusted proxies that the configuration accepts', async () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), fc.string())
  const range = fc
    .tuple(address, fc.option(fc.oneof(fc.integer({ min: -1, max: 130 }), fc.string())))
    .map(([address, prefix]) => (prefix === null ? address : `${address}/${prefix}`))
  fc.assert(
    fc.property(range, range => {
      if (problemsOf({ SIXPANE_TRUST_PROXY: range }).length > 0) return
      Fastify({ trustProxy: [...readConfig({ SIXPANE_TRUST_PROXY: range }).trustedProxies] })
    }),
  )
})

t.test('browser origins are lower-cased, because browsers send them in lower case', async t => {
  t.same(
    readConfig({ SIXPANE_BROWSER_ORIGINS: 'https://Shop.example, http://localhost:5173' }).browserOrigins,
    ['https://shop.example', 'http://localhost:5173'],
  )
  t.same(readConfig({}).browserOrigins, [])
  for (const wrong of ['*', 'null', 'shop.example', 'https://shop.example/', 'ftp://shop.example']) {
    t.match(problemsOf({ SIXPANE_BROWSER_ORIGINS: wrong })[0], /SIXPANE_BROWSER_ORIGINS must be origins/)
  }
  t.match(problemsOf({ SIXPANE_BROWSER_ORIGINS: 'https://shop.example:443' })[0], /without .* default port/)
})

t.test('redacted paths are names separated by dots', async t => {
  t.same(readConfig({ SIXPANE_REDACT: 'user.email, body.card no,größe' }).redactPaths, [
    'user.email',
    'body.card no',
    'größe',
  ])
  const many = Array.from({ length: 101 }, (_, index) => `a${index}`).join(',')
  for (const wrong of [
    '*.email',
    'user..email',
    '.email',
    'email.',
    "user['email']",
    'x'.repeat(201),
    many,
  ]) {
    t.match(problemsOf({ SIXPANE_REDACT: wrong })[0], /SIXPANE_REDACT must be at most 100 paths/)
  }
})

t.test('property: any environment is accepted or rejected with a ConfigError', async () => {
  const names = Object.values(allSettings).map(({ variable }) => variable)
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.string()), env => {
      problemsOf(env)
    }),
  )
})

t.test('keeps spaces around the password, but trims variables that are not secrets', async t => {
  const config = readConfig({ SIXPANE_PASSWORD: ' long enough ', LOG_LEVEL: ' warn ', PORT: '  ' })
  t.match(config, { password: ' long enough ', logLevel: 'warn', port: 3000 })
})

t.test('webhook links use the public URL, or by default the address that the server listens on', async t => {
  t.equal(
    readConfig({ SIXPANE_PUBLIC_URL: 'https://sixpane.example' }).publicOrigin,
    'https://sixpane.example',
  )
  t.equal(
    readConfig({ SIXPANE_PUBLIC_URL: 'HTTPS://Sixpane.Example' }).publicOrigin,
    'https://sixpane.example',
    'lower-cased, as browsers and OpenID providers expect',
  )
  t.equal(readConfig({ PORT: '80' }).publicOrigin, 'http://127.0.0.1:80')
  t.equal(readConfig({ HOST: '::1' }).publicOrigin, 'http://[::1]:3000')
})

t.test('by default, webhook links work on this machine even if Sixpane listens on all addresses', async t => {
  const env = { SIXPANE_PASSWORD: 'long enough' }
  t.equal(readConfig({ ...env, HOST: '0.0.0.0' }).publicOrigin, 'http://127.0.0.1:3000')
  t.equal(readConfig({ ...env, HOST: '::' }).publicOrigin, 'http://[::1]:3000')
})
