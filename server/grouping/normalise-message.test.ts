import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { normaliseMessage } from './normalise-message.ts'

t.test('replaces the values that differ between occurrences', async t => {
  const cases: Record<string, string> = {
    'Order 4711 not found': 'Order <n> not found',
    'Order #c-4711 of req-8c1f': 'Order #<n> of <n>',
    'User 550e8400-e29b-41d4-a716-446655440000 is gone': 'User <n> is gone',
    'User A50E8400-E29B-41D4-A716-446655440000 and 0xDEADBEEF': 'User <n> and <n>',
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
    'token deadbeef01 rejected': 'token <n> rejected',
    'Card "4242" declined for `anna`': 'Card <value> declined for <value>',
    "can't find what wasn't there": "can't find what wasn't there",
    '  two\n  lines ': 'two lines',
    'used 1,024 of 2.5 GB': 'used <n> of <n> GB',
    'no price in com.shop.Cart@1b2c3d4 or [Lcom.shop.Item;@deadbeef':
      'no price in com.shop.Cart@<n> or [Lcom.shop.Item;@<n>',
    '<shop.Cart object at 0x7f3b5c0d2e50> is empty': '<shop.Cart object at <n>> is empty',
    'index out of range [5] with length 3': 'index out of range [<n>] with length <n>',
    'read tcp 10.0.0.1:53422->10.0.0.2:5432: i/o timeout': 'read tcp <host>-><host>: i/o timeout',
    'open /srv/shop/cart.json: no such file': 'open <path>: no such file',
    'For input string: "4711"': 'For input string: <value>',
    'Order 3fa91c02 of 13791502 not found': 'Order <n> of <n> not found',
    'took 1.5e-7 s instead of 0.1 s': 'took <n> s instead of <n> s',
    'expired at Sun Nov 29 2026 10:00:00 GMT+0100 (Central European Standard Time), renew':
      'expired at <date>, renew',
    'expired at Sun, 29 Nov 2026 10:00:00 GMT': 'expired at <date>',
    'expired at Mon Dec  7 10:00:00 CET 2026': 'expired at <date>',
    'expired at Mon Dec  7 10:00:00 2026 or Nov 29 10:00:00 +0100, renew':
      'expired at <date> or <date>, renew',
    'from Nov 29 10:00:00 on': 'from <date> on',
    'expired on December 7, 2026': 'expired on <date>',
    'expired on 12/7/2026, 1:00:00 PM': 'expired on <date>',
    'Market 5 and Sunday may 7 fail': 'Market <n> and Sunday may <n> fail',
    "DETAIL: Key (last_name, city)=(O'Brien (sen.), Rome) already exists.":
      'DETAIL: Key (last_name, city)=<value> already exists.',
    'Key (shop)=(north) is not present in table "shop".':
      'Key (shop)=<value> is not present in table <value>.',
    'Key (room)=(a (b)) conflicts with existing key (room)=(c).':
      'Key (room)=<value> conflicts with existing key (room)=<value>.',
    "DETAIL: Failing row contains (7, O'Brien, null).": 'DETAIL: Failing row contains <value>.',
  }
  for (const [message, template] of Object.entries(cases))
    t.equal(normaliseMessage(message, 'Error'), template)
})

t.test('preserves the names that identify a bug', async t => {
  const differ = (type: string, one: string, other: string) =>
    t.not(normaliseMessage(one, type), normaliseMessage(other, type), one)
  differ('TypeError', "Cannot read (reading 'total')", "Cannot read (reading 'price')")
  differ('TypeError', 'cart.total is not a function', 'cart.sum is not a function')
  differ(
    'ReferenceError',
    "Cannot access 'cart' before initialization",
    "Cannot access 'price' before initialization",
  )
  differ(
    'AttributeError',
    "'NoneType' object has no attribute 'total'",
    "'NoneType' object has no attribute 'price'",
  )
  differ('KeyError', "'total'", "'price'")
  differ('ModuleNotFoundError', "No module named 'shop.cart'", "No module named 'shop.price'")
  const npe = (name: string) => `Cannot invoke "com.shop.Price.total()" because "<local4>.${name}" is null`
  differ('NullPointerException', npe('price'), npe('sum'))
  const missing = (name: string) => `undefined method '${name}' for nil`
  differ('NoMethodError', missing('total'), missing('price'))
  differ('NoMethodError', missing('sha256'), missing('md5_1'))
  differ('Error', missing('[]'), missing('[]='))
  differ('ErrorException', 'Undefined array key "total"', 'Undefined array key "price"')
  differ('Error', 'ERR_HTTP2_STREAM_ERROR', 'ERR_HTTP2_SESSION_ERROR')
  differ('Error', 'connect ECONNREFUSED 10.0.0.1', 'connect ETIMEDOUT 10.0.0.1')
  const react = (code: number) =>
    `Minified React error #${code}; visit https://react.dev/errors/${code} for the full message`
  differ('Error', react(418), react(423))
})

t.test('messages from different versions of Ruby become the same template', async t => {
  for (const start of ['undefined method', 'undefined local variable or method', 'private method']) {
    for (const type of ['NoMethodError', 'NameError', 'Error'])
      t.equal(
        normaliseMessage(`${start} \`total?' for nil`, type),
        normaliseMessage(`${start} 'total?' for nil`, type),
      )
  }
})

t.test('messages from different browser engines become the same template', async t => {
  const bugs: Record<string, [type: string, ...messages: string[]]> = {
    'a property of undefined': [
      'TypeError',
      "Cannot read properties of undefined (reading 'total')",
      "Cannot read property 'total' of undefined",
      "Cannot destructure property 'total' of 'e.cart' as it is undefined.",
      'can\'t access property "total", e.cart is undefined',
      "undefined is not an object (evaluating 'e.cart.total')",
      "undefined is not an object (evaluating 't.total = 5')",
    ],
    'a property of null': [
      'TypeError',
      "Cannot read properties of null (reading 'total')",
      'can\'t access property "total", t is null',
      "null is not an object (evaluating 't.total')",
    ],
    'another property': ['TypeError', "Cannot read properties of undefined (reading 'price')"],
    'an element of undefined': [
      'TypeError',
      "Cannot read properties of undefined (reading '0')",
      "can't access property 0, e.items is undefined",
      "can't access property 12, t is undefined",
      "undefined is not an object (evaluating 'e.items[0]')",
    ],
    'not a function': [
      'TypeError',
      'e.cart.sum is not a function',
      't.sum is not a function',
      "e.sum is not a function. (In 'e.sum(1)', 'e.sum' is undefined)",
      '(intermediate value).sum is not a function',
    ],
    'another function': ['TypeError', 'e.cart.add is not a function'],
    'not iterable': ['TypeError', 'e is not iterable', 't is not iterable'],
    'undefined variable': ['ReferenceError', 'cart is not defined', "Can't find variable: cart"],
    'use before initialisation': [
      'ReferenceError',
      "Cannot access 'cart' before initialization",
      "can't access lexical declaration 'cart' before initialization",
    ],
    'network error': [
      'TypeError',
      'Failed to fetch',
      'NetworkError when attempting to fetch resource.',
      'Load failed',
    ],
    'missing module': [
      'TypeError',
      'Failed to fetch dynamically imported module: https://h/assets/a-AB12CD34.js',
      'error loading dynamically imported module: https://h/assets/a-EF56GH78.js',
      'Importing a module script failed.',
    ],
    'invalid JSON': [
      'SyntaxError',
      'Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
      'Unexpected token < in JSON at position 0',
      'JSON.parse: unexpected character at line 1 column 1 of the JSON data',
      "JSON Parse error: Unrecognized token '<'",
    ],
    'incomplete JSON': [
      'SyntaxError',
      'Unexpected end of JSON input',
      'JSON.parse: unexpected end of data at line 1 column 5 of the JSON data',
      'JSON Parse error: Unexpected EOF',
    ],
  }
  const templates = Object.entries(bugs).map(([name, [type, ...messages]]) => {
    const [first, ...others] = [...new Set(messages.map(message => normaliseMessage(message, type)))]
    t.same(others, [], name)
    return first
  })
  t.equal(new Set(templates).size, templates.length, 'different bugs have different templates')
  t.not(
    normaliseMessage("Cannot read properties of undefined (reading 'total'): timeout", 'TypeError'),
    normaliseMessage("Cannot read properties of undefined (reading 'total')", 'TypeError'),
    'text after the engine message is part of the template',
  )
})

t.test('the template does not depend on the values', async t => {
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
      const template = 'order <n> (<n> items) of <email> for <value>: <url> via <host> since <date>'
      assert.equal(normaliseMessage(message, 'Error'), template)
    }),
  )
  for (const type of ['constructor', '__proto__', '']) t.equal(normaliseMessage('x', type), 'x')
  t.equal(normaliseMessage('x'.repeat(5000), 'Error').length, 1000)
})

t.test('the template of a long message does not depend on the lengths of the values', async t => {
  const words = 'some words that explain the problem '
  for (const length of [1500, 20_000]) {
    const templates = ['7', '71234', '7'.repeat(500)].map(id =>
      normaliseMessage(`order ${id}: ${words.repeat(length / words.length)}`, 'Error'),
    )
    t.equal(new Set(templates).size, 1)
  }
  const quotes = ['""', "''", '``', '“”', '«»'].map(([open, close]) =>
    [5000, 10_000].map(length =>
      normaliseMessage(`no ${open}${'value '.repeat(length / 6)}${close}`, 'Error'),
    ),
  )
  t.same(new Set(quotes.flat()), new Set(['no <value>']))
})

t.test('the template uses only the first 4,000 characters of a message', async t => {
  for (const seed of [
    ...['a', '1', ':', '.', '/', '"', "'", '@', '-', 'a.', 'a1-', '1:', 'http://', '\\', ' '],
    ...['\\"', '“', '«', '`', "'a ", './', '1.', '<n>,', 'a@', 'Key (a)=(', 'Nov 1 1:11 '],
  ]) {
    const megabyte = seed.repeat(1e6 / seed.length)
    for (const type of ['Error', 'TypeError', 'SyntaxError', 'NullPointerException'])
      t.equal(normaliseMessage(megabyte, type), normaliseMessage(megabyte.slice(0, 4001), type), seed)
  }
})
