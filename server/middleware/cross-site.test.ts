import fc from 'fast-check'
import Fastify from 'fastify'
import t from 'tap'
import { paths } from '../../shared/paths.ts'
import { readConfig } from '../settings/config.ts'
import crossSite from './cross-site.ts'
import headers from './headers.ts'

async function start(env: Record<string, string> = {}) {
  const fastify = Fastify()
  await fastify.register(headers, { scriptSources: [], styleSources: [] })
  await fastify.register(crossSite, { context: { config: readConfig(env) } })
  const handler = { calls: 0 }
  fastify.post('/act', async () => {
    handler.calls += 1
    return 'done'
  })
  fastify.get('/read', async () => 'read')
  fastify.get('/copy', { config: { access: { role: 'admin', rejectsCrossSite: true } } }, async () => {
    handler.calls += 1
    return 'copied'
  })
  fastify.post(
    paths.browser(),
    { config: { access: { role: 'viewer', pages: 'reports' } } },
    async () => 'received',
  )
  return { fastify, handler }
}

t.test('CSRF: a POST request from another site never reaches the handler', async t => {
  const { fastify, handler } = await start()
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:3001' },
  ]
  for (const sent of foreign) {
    const response = await fastify.inject({
      method: 'POST',
      url: '/act',
      headers: { host: 'localhost:3000', ...sent },
    })
    t.equal(response.statusCode, 403, JSON.stringify(sent))
  }
  t.equal(handler.calls, 0)
})

t.test('CSRF: a GET request with an effect never reaches the handler from another site', async t => {
  const { fastify, handler } = await start()
  const get = (sent: Record<string, string>) =>
    fastify.inject({ url: '/copy', headers: { host: 'localhost:3000', ...sent } })
  for (const [why, sent] of [
    ['a link or an image, over HTTPS or on loopback', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['fetch() with CORS, over plain HTTP', { origin: 'https://evil.example' }],
  ] as const)
    t.equal((await get(sent)).statusCode, 403, why)
  t.equal(handler.calls, 0)
  for (const [why, sent] of [
    ['sixpane backup or curl', {}],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ["Sixpane's own page", { 'sec-fetch-site': 'same-origin' }],
  ] as const)
    t.equal((await get(sent)).statusCode, 200, why)
})

t.test("requests from Sixpane's own pages and from non-browser clients reach the handler", async t => {
  const { fastify } = await start()
  const own = [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: 'http://localhost:3000' },
  ]
  for (const sent of own) {
    const response = await fastify.inject({
      method: 'POST',
      url: '/act',
      headers: { host: 'localhost:3000', ...sent },
    })
    t.equal(response.statusCode, 200, JSON.stringify(sent))
  }
})

t.test('pages of connected applications may send POST requests only to routes for reports', async t => {
  const shop = 'https://shop.example'
  const { fastify, handler } = await start({ SIXPANE_BROWSER_ORIGINS: shop })
  const post = (origin: string, site: string, url: string = paths.browser()) => {
    const headers = { host: 'localhost:3000', origin, 'sec-fetch-site': site }
    return fastify.inject({ method: 'POST', url, headers })
  }
  t.equal((await post(shop, 'cross-site')).statusCode, 200)
  t.equal((await post(shop, 'same-site')).statusCode, 200)
  t.equal((await post(shop, 'cross-site', '/act')).statusCode, 403)
  for (const origin of ['https://evil.example', 'null', 'http://shop.example', `${shop}:8443`, `${shop}/`]) {
    const response = await post(origin, 'cross-site')
    t.equal(response.statusCode, 403, origin)
    t.match(response.json().message, 'SIXPANE_BROWSER_ORIGINS', 'the message names the setting')
  }
  t.equal(handler.calls, 0)
})

t.test('links from other sites work', async t => {
  const { fastify } = await start()
  const response = await fastify.inject({
    url: '/read',
    headers: { host: 'localhost', 'sec-fetch-site': 'cross-site' },
  })
  t.equal(response.statusCode, 200)
})

t.test('DNS rebinding: without a password, accepts only loopback hosts', async t => {
  const { fastify } = await start()
  const status = async (host: string) =>
    (await fastify.inject({ url: '/read', headers: { host } })).statusCode
  for (const host of ['localhost:3000', 'LocalHost', '127.0.0.1', '127.9.9.9:80', '[::1]', '[::1]:3000']) {
    t.equal(await status(host), 200, host)
  }
  for (const host of [
    'rebound.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example:3000',
    'evil.example:127.0.0.1',
    'user@127.0.0.1',
    '127.0.0.1@evil.example',
    '127.0.0.1, evil.example',
    '127.0.0.1 evil.example',
    '127.0.0.1/evil.example',
    '[::1].evil.example',
    '[::1',
    '::1',
    '[127.0.0.1]',
    '127.0.0.1:port',
    '127.0.0.1:',
    ':3000',
    '192.0.2.1',
  ]) {
    t.equal(await status(host), 421, host)
  }
  const { fastify: withPassword } = await start({ SIXPANE_PASSWORD: 'long enough' })
  t.equal((await withPassword.inject({ url: '/read', headers: { host: 'logs.example' } })).statusCode, 200)
})

t.test('property: accepts only Host headers with a loopback host and an optional port', async () => {
  const { fastify } = await start()
  const part = fc.constantFrom(
    '127.0.0.1',
    'localhost',
    '[::1]',
    '.',
    ':',
    '@',
    ',',
    ' ',
    '/',
    '80',
    'evil',
    '[',
    ']',
  )
  const allowed = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async parts => {
      const host = parts.join('')
      const { statusCode } = await fastify.inject({ url: '/read', headers: { host } })
      return statusCode === (allowed.test(host) ? 200 : 421)
    }),
  )
})
