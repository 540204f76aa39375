import t from 'tap'
import { attributePart } from './attribute-part.ts'

const part = (path: string, text: string, isLiteral = false) => attributePart(path, { text, isLiteral })

t.test('the substring contains the end of the key and the start of the value', async t => {
  t.equal(part('user.plan', 'pro'), 'plan":"pro"')
  t.equal(part('user.plan', 'pro*'), 'plan":"pro')
  t.equal(part('user.plan', 'p*o'), 'plan":"p')
  t.equal(part('user.plan', 'p*o', true), 'plan":"p*o"')
  t.equal(attributePart('user.plan', null), 'plan":')
})

t.test('the substring contains no character that may be stored differently', async t => {
  t.equal(part('name', 'admin'), 'name":"adm', 'i is also the lower-case form of U+0130')
  t.equal(part('name', 'token'), 'name":"to', 'k is also the lower-case form of U+212A')
  t.equal(part('name', 'say "a"'), 'name":"say ', 'JSON escapes quotation marks')
  t.equal(part('name', 'café'), 'name":"caf')
  t.equal(part('na"me', 'x'), 'me":"x"')
  t.equal(part('schlüssel', 'x'), 'ssel":"x"')
})

t.test('the substring contains no value that may be a number, boolean, object or list', async t => {
  for (const text of ['42', '-1', 'true', 'T*', 'false', '*', '*x', '', '{"a":1}', '[1]'])
    t.equal(part('user.id', text), 'id":', text)
})

t.test('returns null for a path that ends with a list index', async t => {
  t.equal(part('list.0', 'x'), null)
  t.equal(part('list.0.name', 'x'), 'name":"x"')
})
