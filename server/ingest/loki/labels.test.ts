import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../../shared/testing/any-character.ts'
import { readLabels } from './labels.ts'

t.test('parses labels in LogQL syntax', async t => {
  const cases: [string, object][] = [
    ['{}', {}],
    ['', {}],
    [' { } ', {}],
    ['{app="shop"}', { app: 'shop' }],
    ['{app="shop", env="prod" , }', { app: 'shop', env: 'prod' }],
    ['{c="d\\"e\\\\", f=`raw\\n"x"`, g="é\\u00e9\\n"}', { c: 'd"e\\', f: 'raw\\n"x"', g: 'éé\n' }],
    ['{a="1",a="2"}', { a: '2' }],
  ]
  for (const [text, labels] of cases) t.same(readLabels(text), labels, text)
})

t.test('returns the parsed labels and the remaining text', async t => {
  t.same(readLabels('{level="info",note="a"b",app="shop"}'), {
    level: 'info',
    labels: 'note="a"b",app="shop"}',
  })
  for (const text of ['app="shop"', '{app="shop"', '{app}', '{app=shop}', '{app="shop"} and more', '}'])
    t.match(readLabels(text), { labels: String }, text)
  const endless = `{a="${'x'.repeat(100_000)}"}`
  t.same(readLabels(endless), { labels: endless.slice(1) })
})

t.test('property: labels round-trip through writing and parsing', async () => {
  const name = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,10}$/)
  const labels = fc.dictionary(name, fc.string({ unit: anyCharacter }), { maxKeys: 6, noNullPrototype: true })
  fc.assert(
    fc.property(labels, given => {
      const written = Object.entries(given).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      const read = readLabels(`{${written.join(', ')}}`)
      return JSON.stringify(Object.entries(read)) === JSON.stringify(Object.entries(given))
    }),
  )
})

t.test('property: never throws and never loses text', async () => {
  const piece = fc.oneof(fc.string(), fc.constantFrom('{', '}', 'a="', '"', ',', '\\', '`', '='))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.stringMatching(/^[a-z]{8}$/), (pieces, marker) =>
      JSON.stringify(readLabels(`{a="1",${pieces.join('')}b=${marker}`)).includes(marker),
    ),
  )
})
