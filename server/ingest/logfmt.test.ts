import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { readLogfmt } from './logfmt.ts'
import { unescapeGo } from './logfmt-string.ts'

t.test('parses logfmt', async t => {
  const cases: [string, object][] = [
    [
      'level=info msg="x y" status=200 durationMs=12',
      { level: 'info', msg: 'x y', status: 200, durationMs: 12 },
    ],
    [
      'ts=2026-11-21T09:30:15.123Z caller=main.go:12 err="open \\"a\\": no such file\\n"',
      { ts: '2026-11-21T09:30:15.123Z', caller: 'main.go:12', err: 'open "a": no such file\n' },
    ],
    [
      'at=info url=/a?b=c ok=true err=nil id=007 big=12345678901234567890 empty= quoted="12"',
      {
        at: 'info',
        url: '/a?b=c',
        ok: true,
        err: null,
        id: '007',
        big: '12345678901234567890',
        empty: '',
        quoted: '12',
      },
    ],
    ['a=1  a=2 ', { a: 2 }],
  ]
  for (const [line, fields] of cases) t.same(readLogfmt(line), fields, line)
})

t.test('returns null for text that is not clearly logfmt', async t => {
  const others = [
    '',
    'Listening on http://127.0.0.1:3000/?a=b',
    'level=info',
    'level=info msg=hello world',
    'x = 1 y = 2',
    'a=1 b="unfinished',
    'a=1 b="x"y',
    'Error: a=1 b=2',
    'a=1\nb=2',
    '{"a":1}',
  ]
  for (const line of others) t.equal(readLogfmt(line), null, line)
})

t.test('property: fields round-trip through writing and parsing', async () => {
  const key = fc.stringMatching(/^[A-Za-z_@][\w.@/-]{0,10}$/)
  const value = fc.oneof(fc.string({ unit: anyCharacter }), fc.integer(), fc.boolean(), fc.constant(null))
  const record = fc.dictionary(key, value, { minKeys: 2, maxKeys: 8, noNullPrototype: true })
  fc.assert(
    fc.property(record, fields => {
      const line = Object.entries(fields)
        .map(([name, each]) => `${name}=${JSON.stringify(each)}`)
        .join(' ')
      const read = Object.entries(readLogfmt(line) ?? {})
      return JSON.stringify(read.toSorted()) === JSON.stringify(Object.entries(fields).toSorted())
    }),
  )
})

t.test('property: never throws, and every field has a name', async () => {
  const piece = fc.oneof(fc.string(), fc.constantFrom('=', '"', '\\', ' ', 'a=', 'b="', '" ', '__proto__=x '))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), pieces => {
      const read = readLogfmt(pieces.join(''))
      return read === null || Object.keys(read).every(name => name !== '')
    }),
  )
})

t.test('parses long lines', async t => {
  const pairs = 'key=value '.repeat(50_000)
  t.same(readLogfmt(pairs), { key: 'value' })
  t.equal(readLogfmt(`${pairs}end`), null)
  const text = 'x\\"'.repeat(300_000)
  t.equal(readLogfmt(`a=1 b="${text}"`)?.b, 'x"'.repeat(300_000))
  t.equal(readLogfmt(`a=1 b="${text}`), null)
})

t.test("unescapes Go's escapes and leaves unknown escapes unchanged", async t => {
  const cases: [string, string][] = [
    ['plain', 'plain'],
    ['a\\tb\\n\\\\n', 'a\tb\n\\n'],
    ['\\x41\\u00e9\\U0001F600\\101\\a', 'Aé😀A\u0007'],
    ['\\ud83d\\ude00', '😀'],
    ['\\U00110000', '\\U00110000'],
    ['C:\\qux\\', 'C:\\qux\\'],
  ]
  for (const [written, text] of cases) t.equal(unescapeGo(written), text, written)
})
