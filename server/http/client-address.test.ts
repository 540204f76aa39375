import fc from 'fast-check'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { clientAddress } from './client-address.ts'
import { trustedAddresses } from './trusted-addresses.ts'

/** Returns the limit key of a request with this `X-Forwarded-For`, from a proxy at 10.1.2.3. */
async function start(t: Test, trusted: readonly string[]) {
  const app = Fastify({ trustProxy: trustedAddresses(trusted) })
  app.get('/', async request => clientAddress(request))
  t.teardown(() => app.close())
  return async (forwarded: string, remoteAddress = '10.1.2.3') => {
    const headers = { 'x-forwarded-for': forwarded }
    return (await app.inject({ url: '/', headers, remoteAddress })).body
  }
}

t.test('ignores the port that some proxies append to the address of a client', async t => {
  const keyOf = await start(t, ['10.0.0.0/8'])
  for (const [forwarded, key] of [
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:51544', '203.0.113.9'],
    ['203.0.113.9:51545', '203.0.113.9'],
    ['2001:db8::1', '2001:db8::'],
    ['[2001:db8::2]', '2001:db8::'],
    ['[2001:db8::3]:51544', '2001:db8::'],
    ['[::ffff:203.0.113.9]:51544', '203.0.113.9'],
    ['unknown', 'unknown'],
    ['', '10.1.2.3'],
  ] as const)
    t.equal(await keyOf(forwarded), key, forwarded)
})

t.test('recognises a trusted proxy whose address has a port', async t => {
  const keyOf = await start(t, ['10.0.0.0/8', '2001:db8::/32'])
  for (const inner of ['10.9.9.9', '10.9.9.9:443', '[2001:db8::1]:443', '[::ffff:10.9.9.9]:443'])
    t.equal(await keyOf(`198.51.100.1, 203.0.113.9:51544, ${inner}`), '203.0.113.9', inner)
  for (const untrusted of ['11.9.9.9:443', '[2001:db9::1]:443'])
    t.not(await keyOf(`203.0.113.9, ${untrusted}`), '203.0.113.9', untrusted)
})

t.test('trusts only the given addresses and ranges', async t => {
  const isTrusted = trustedAddresses(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32'])
  for (const address of ['192.0.2.1', '10.255.0.1', '::ffff:10.1.2.3', '2001:db8::9'])
    t.ok(isTrusted(address), address)
  for (const address of [
    '192.0.2.2',
    '11.0.0.1',
    '2001:db9::',
    '10.1',
    '0xa.1.2.3',
    'unknown',
    '',
    undefined,
  ])
    t.notOk(isTrusted(address), String(address))
  t.notOk(trustedAddresses([])('127.0.0.1'))
  const isLoopback = trustedAddresses(['::1/64'])
  t.same(
    ['::1', '10.1.2.3', '::ffff:10.1.2.3'].map(address => isLoopback(address)),
    [true, false, false],
  )
  const isMapped = trustedAddresses(['::ffff:10.0.0.0/104'])
  t.same(
    ['10.1.2.3', '::ffff:10.1.2.3', '11.1.2.3'].map(address => isMapped(address)),
    [true, true, false],
  )
})

t.test('property: a port never changes the key, and any header is accepted', async t => {
  const keyOf = await start(t, ['10.0.0.0/8'])
  const port = fc.nat({ max: 65_535 })
  await fc.assert(
    fc.asyncProperty(fc.ipV4(), fc.ipV6(), port, async (v4, v6, port) => {
      const same = async (plain: string, withPort: string) => (await keyOf(plain)) === (await keyOf(withPort))
      return (await same(v4, `${v4}:${port}`)) && (await same(v6, `[${v6}]:${port}`))
    }),
  )
  const isTrusted = trustedAddresses(['10.0.0.0/8'])
  fc.assert(fc.property(fc.string(), text => typeof isTrusted(text) === 'boolean'))
})
