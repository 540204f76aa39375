import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { normaliseMessage } from './normalise-message.ts'

t.test('takes out what differs between occurrences', async t => {
  const cases: Record<string, string> = {
    'Order 4711 not found': 'Order <n> not found',
    'Order #c-4711 of req-8c1f': 'Order #<id> of <id>',
    'User 550e8400-e29b-41d4-a716-446655440000 is gone': 'User <id> is gone',
    'No user anna.lee+shop@example.com': 'No user <email>',
    'connect ECONNREFUSED 127.0.0.1:5432': 'connect ECONNREFUSED <host>',
    'connect ECONNREFUSED ::1:5432': 'connect ECONNREFUSED <host>',
    'getaddrinfo ENOTFOUND db.shop.internal': 'getaddrinfo ENOTFOUND <host>',
    'GET https://api.shop.example/orders/5?x=1 failed': 'GET <url> failed',
    'upstream db-1.prod.example:8443 is down': 'upstream <host> is down',
    "ENOENT: no such file or directory, open '/srv/data/7.json'":
      'ENOENT: no such file or directory, open <value>',
    'cannot write /var/lib/shop/cart.json': 'cannot write <path>',
    'cannot write C:\\shop\\data\\cart.json': 'cannot write <path>',
    'timeout of 3000ms exceeded after 1.5s': 'timeout of <n> exceeded after <n>',
    'expired on 2026-11-21T14:03:22.123Z': 'expired on <date>',
    'token deadbeef01 rejected': 'token <id> rejected',
    'Card "4242" declined for `anna`': 'Card <value> declined for <value>',
    "can't find what wasn't there": "can't find what wasn't there",
    '  two\n  lines ': 'two lines',
    'used 1,024 of 2.5 GB': 'used <n> of <n> GB',
  }
  for (const [message, template] of Object.entries(cases))
    t.equal(normaliseMessage(message, 'Error'), template)
})

t.test('keeps what names the fault', async t => {
  const differ = (type: string, one: string, other: string) =>
    t.not(normaliseMessage(one, type), normaliseMessage(other, type), one)
  differ('TypeError', "Cannot read (reading 'total')", "Cannot read (reading 'price')")
  differ('TypeError', 'cart.total is not a function', 'cart.sum is not a function')
  differ(
    'ReferenceError',
    "Cannot access 'a' before initialization",
    "Cannot access 'b' before initialization",
  )
  differ('Error', 'ERR_HTTP2_STREAM_ERROR', 'ERR_HTTP2_SESSION_ERROR')
  differ('Error', 'connect ECONNREFUSED 10.0.0.1', 'connect ETIMEDOUT 10.0.0.1')
  const react = (code: number) =>
    `Minified React error #${code}; visit https://react.dev/errors/${code} for the full message`
  differ('Error', react(418), react(423))
})

t.test('whatever the values are, the template is one', async t => {
  const word = fc.stringMatching(/^[a-z]{2,12}$/)
  const values = fc.record({
    id: fc.uuid(),
    count: fc.nat(),
    host: fc.oneof(
      fc.ipV4(),
      fc.domain().map(name => `${name}:443`),
    ),
    email: fc.tuple(word, word).map(([name, host]) => `${name}@${host}.example`),
    quoted: fc.string().map(text => JSON.stringify(text)),
    url: fc.webUrl({ validSchemes: ['http', 'https'] }).map(url => url.replaceAll(/[()'\]>`]/g, '')),
    day: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
      .map(date => date.toISOString()),
  })
  fc.assert(
    fc.property(values, ({ id, count, host, email, quoted, url, day }) => {
      const message = `order ${id} (${count} items) of ${email} for ${quoted}: ${url} via ${host} since ${day}`
      const template = 'order <id> (<n> items) of <email> for <value>: <url> via <host> since <date>'
      assert.equal(normaliseMessage(message, 'Error'), template)
    }),
  )
  t.equal(normaliseMessage('x'.repeat(5000), 'Error').length, 1000)
})

t.test('reads a megabyte as it reads a thousand characters', async t => {
  for (const seed of ['a', '1', ':', '.', '/', '"', "'", '@', '-', 'a.', 'a1-', '1:', 'http://', '\\', ' ']) {
    const megabyte = seed.repeat(1e6 / seed.length)
    t.equal(normaliseMessage(megabyte, 'Error'), normaliseMessage(megabyte.slice(0, 1000), 'Error'), seed)
  }
})
