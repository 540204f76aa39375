import fc from 'fast-check'
import t from 'tap'
import { createClean, createConfigurableClean, maxTextLength } from './clean.ts'
import { redactedNames } from './redact.ts'

const clean = createClean([])

t.test('leaves plain fields unchanged', async t => {
  const fields = {
    a: 1,
    b: 'two',
    c: [true, null, { d: -0.5 }],
    password: null,
    hasToken: true,
    token: false,
  }
  t.same(clean(fields), fields)
})

t.test('redacts secrets by field name, at any depth', async t => {
  t.same(clean({ headers: [{ Authorization: 'x' }], db: { password: { old: 'a' } }, apiKey: 12 }), {
    headers: [{ Authorization: '[redacted]' }],
    db: { password: '[redacted]' },
    apiKey: '[redacted]',
  })
})

t.test('redacts secrets in header lists, based on the name next to the value', async t => {
  t.same(
    clean({
      list: [
        { name: 'Cookie', value: 'x' },
        { key: 'api.token', value: 'y' },
      ],
    }),
    {
      list: [
        { name: 'Cookie', value: '[redacted]' },
        { key: 'api.token', value: '[redacted]' },
      ],
    },
  )
  t.same(clean({ rawHeaders: ['Host', 'a', 'Authorization', 'x'] }), {
    rawHeaders: ['Host', 'a', 'Authorization', '[redacted]'],
  })
})

t.test('redacts configured paths, including paths through arrays and dotted names', async t => {
  const configured = createClean(['user.email', 'note'])
  t.same(
    configured({ user: [{ email: 'a', name: 'b' }], 'user.email': 'a', note: 'c', deep: { note: 'd' } }),
    {
      user: [{ email: '[redacted]', name: 'b' }],
      'user.email': '[redacted]',
      note: '[redacted]',
      deep: { note: 'd' },
    },
  )
})

t.test('property: a secret field anywhere in the record is redacted', async () => {
  const secret = fc.stringMatching(/^[a-z0-9]{16}$/).map(text => `S3CRET${text}`)
  const nested = (value: string) =>
    fc.constantFrom<unknown>(value, [value], { a: value }, { a: [{ b: value }] })
  const planted = secret.chain(value =>
    fc.tuple(
      fc.constant(value),
      fc.constantFrom(...redactedNames.map(name => name.replace(' ', '_'))),
      nested(value),
      fc.array(fc.oneof(fc.string(), fc.constant(null)), { maxLength: 30 }),
      fc.jsonValue(),
    ),
  )
  fc.assert(
    fc.property(planted, ([value, name, inside, path, beside]) => {
      // A step is a field name, or `null` for an array.
      const record = path.reduce<unknown>(
        (inner, step) => (step === null ? [beside, inner] : { beside, [step]: inner }),
        { [name]: inside },
      )
      return !JSON.stringify(clean({ record })).includes(value)
    }),
  )
})

t.test('limits depth, entries and text length, and breaks cycles', async t => {
  const cycle: Record<string, unknown> = {}
  for (let index = 0; index < 10; index += 1) cycle[`field${index}`] = cycle
  const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, index]))
  const long = 'x'.repeat(maxTextLength * 2)
  for (const value of [cycle, deep, wide, { long }, { all: Array.from({ length: 5000 }, () => [long]) }]) {
    t.ok(JSON.stringify(clean(value)).length < 600_000)
  }
  t.match(clean({ long }).long, /x… \[131072 characters\]$/)
  t.match(clean(wide), { '…': '[4000 more]' })
})

t.test('truncates text that is longer than the whole budget instead of dropping it', async t => {
  const long = 'x'.repeat(maxTextLength * 5)
  const cut = /^x{60000}x+… \[327680 characters\]$/
  t.match(clean({ msg: long, err: { message: long, stack: long } }), {
    msg: cut,
    err: { message: cut, stack: cut },
  })
  t.equal(clean({ a: long, b: long, c: long, d: long, e: 'short' }).e, '[no room]')
})

t.test("nested fields do not use up the message's budget", async t => {
  const all = Array.from({ length: 900 }, () => ({ text: 'x'.repeat(1000) }))
  t.equal(clean({ all, msg: 'the message' }).msg, 'the message')
})

t.test('other nested fields do not use up the budget of an error', async t => {
  const rows = Array.from({ length: 900 }, () => ({ a: 1, b: 2, c: 3, d: 4, e: 5 }))
  const error = { type: 'Error', message: 'broken', cause: { message: 'inner' } }
  for (const name of ['err', 'error', 'exception', 'thrown'])
    t.same(clean({ rows, [name]: error })[name], error, name)
  t.equal(clean({ rows, other: error }).other, '[no room]')
})

t.test('converts values that JSON cannot represent', async t => {
  const fields = {
    date: new Date(0),
    big: 12n,
    none: undefined,
    nan: Number.NaN,
    socket: new Map(),
    f: () => 1,
  }
  t.same(clean(fields), {
    date: '1970-01-01T00:00:00.000Z',
    big: '12',
    none: null,
    nan: 'NaN',
    socket: '[Map]',
    f: null,
  })
  const throwing = {
    get field() {
      throw new Error('No')
    },
  }
  t.same(clean({ a: 1, throwing }), { a: 1, throwing: { field: '[unreadable]' } })
})

t.test('prototype pollution: __proto__ and constructor are ordinary field names', async t => {
  const copy = clean(JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'))
  t.same(JSON.stringify(copy), '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
  t.equal(Reflect.get({}, 'polluted'), undefined)
})

t.test('property: cleaning is idempotent', async () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fields => {
      const once = clean(fields)
      return JSON.stringify(clean(once)) === JSON.stringify(once)
    }),
  )
})

t.test('a configured path matches nested, dotted and wrapped attributes', async t => {
  const clean = createClean(['user.email'])
  const email = 'a@example.test'
  const hidden = '[redacted]'
  t.same(clean({ user: { email } }), { user: { email: hidden } })
  t.same(clean({ 'user.email': email }), { 'user.email': hidden })
  t.same(clean({ attributes: { user: { email } } }), { attributes: { user: { email: hidden } } })
  t.same(clean({ attributes: { 'user.email': email } }), { attributes: { 'user.email': hidden } })
  t.same(clean({ user: [{ email }, { email }] }), { user: [{ email: hidden }, { email: hidden }] })
  t.same(clean({ other: { user: { email } } }), { other: { user: { email } } })
})

t.test('changes to the configured paths apply to later events', async t => {
  const { clean, setPaths } = createConfigurableClean(['user.email'])
  const event = { user: { email: 'a@example.test', plan: 'free' } }
  t.same(clean(event), { user: { email: '[redacted]', plan: 'free' } })
  setPaths(['user.plan'])
  t.same(clean(event), { user: { email: 'a@example.test', plan: '[redacted]' } })
})
