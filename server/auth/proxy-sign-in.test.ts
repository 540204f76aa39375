import Fastify from 'fastify'
import t from 'tap'
import { readConfig } from '../settings/config.ts'
import { proxySignIn } from './proxy-sign-in.ts'

/** Sends a request with these headers from this address. Returns its user, `nobody`, or the body of the error response. */
async function signIn(headers: Record<string, string | string[]>, remoteAddress = '10.1.2.3', env = {}) {
  const config = readConfig({
    SIXPANE_AUTH: 'proxy',
    SIXPANE_TRUST_PROXY: '10.0.0.0/8,fd00::/8,192.0.2.1',
    SIXPANE_ADMINS: 'ada',
    SIXPANE_VIEWERS: 'readers,jörg',
    ...env,
  })
  const method = proxySignIn(config)
  // The sign-in must ignore forwarded addresses.
  const fastify = Fastify({ trustProxy: true })
  fastify.get('/', async request => method.userOf(request) ?? 'nobody')
  const response = await fastify.inject({ url: '/', headers, remoteAddress })
  return response.statusCode === 200 && response.body !== 'nobody' ? response.json() : response.body
}

t.test('only a trusted proxy can identify the user', async t => {
  const headers = { 'remote-user': 'ada' }
  for (const address of ['10.1.2.3', 'fd00::1', '192.0.2.1', '::ffff:10.9.9.9'])
    t.match(await signIn(headers, address), { name: 'ada', role: 'admin' }, address)
  for (const address of ['11.0.0.1', '192.0.2.2', 'fe80::1', '::ffff:11.0.0.1', '127.0.0.1'])
    t.equal(await signIn(headers, address), 'nobody', address)
  const forged = { ...headers, 'x-forwarded-for': '10.1.2.3', forwarded: 'for=10.1.2.3' }
  t.equal(await signIn(forged, '11.0.0.1'), 'nobody')
})

t.test('reads groups, configured header names and UTF-8', async t => {
  t.match(await signIn({ 'remote-user': 'bob', 'remote-groups': 'staff, Readers' }), {
    name: 'bob',
    role: 'viewer',
  })
  t.match(await signIn({ 'remote-user': 'bob', 'remote-groups': 'staff|readers' }), { role: 'viewer' })
  const utf8 = Buffer.from('jörg').toString('latin1')
  t.match(await signIn({ 'remote-user': utf8 }), { name: 'jörg', role: 'viewer' })
  const names = { SIXPANE_PROXY_USER_HEADER: 'X-Forwarded-Email', SIXPANE_ADMINS: '@team.example' }
  const headers = { 'x-forwarded-email': 'ada@team.example', 'remote-user': 'ada' }
  t.match(await signIn(headers, undefined, names), { name: 'ada@team.example', role: 'admin' })
})

t.test('nobody signs in without a name or a role', async t => {
  for (const headers of [{}, { 'remote-user': '' }, { 'remote-user': ' ' }, { 'remote-groups': 'readers' }])
    t.equal(await signIn(headers), 'nobody')
  t.match(await signIn({ 'remote-user': 'mallory' }), /mallory has no access to Sixpane/)
})

t.test('a repeated header is rejected, because a client may have sent one of its values', async t => {
  const repeated = [
    { 'remote-user': ['mallory', 'ada'] },
    { 'remote-user': 'mallory', 'remote-groups': ['ada', 'visitors'] },
  ]
  for (const headers of repeated) {
    t.match(await signIn(headers), /Configure the proxy to replace the header/)
    t.equal(await signIn(headers, '11.0.0.1'), 'nobody', 'headers from other addresses are ignored')
  }
})
