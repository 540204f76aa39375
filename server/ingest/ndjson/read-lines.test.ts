import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../../shared/testing/any-character.ts'
import { withoutPauses } from '../../testing/pauses.ts'
import { sliceBytes } from '../json-cursor.ts'
import { maxJsonValues, maxRecordBytes } from '../parse-json.ts'
import { readLines } from './read-lines.ts'

const read = (body: string | Buffer) => withoutPauses(readLines(Buffer.from(body)))

t.test('each line is a record, with LF or CRLF', async t => {
  t.same(read('{"a":1}\n{"a":2}'), [
    { line: 1, record: { a: 1 } },
    { line: 2, record: { a: 2 } },
  ])
  t.same(read('\ufeff{"a":1}\r\n\r\n \t\n{"a":2}\r\n'), [
    { line: 1, record: { a: 1 } },
    { line: 4, record: { a: 2 } },
  ])
  for (const empty of ['', '\n', '\ufeff', ' \r\n\t']) t.same(read(empty), [])
})

t.test('invalid lines are reported with their numbers and do not affect the others', async t => {
  const lines = [
    '{"a":1}',
    'nonsense',
    '[1]',
    '"text"',
    'null',
    `{"a":"${'x'.repeat(maxRecordBytes)}"}`,
    '{"a":2}',
  ]
  t.match(read(lines.join('\n')), [
    { line: 1, record: { a: 1 } },
    { line: 2, reason: /not JSON/ },
    { line: 3, reason: /not an object/ },
    { line: 4, reason: /not an object/ },
    { line: 5, reason: /not an object/ },
    { line: 6, reason: /longer than/ },
    { line: 7, record: { a: 2 } },
  ])
})

t.test('reads the elements of an array, and an object that spans several lines', async t => {
  t.match(read('\n [{"a":1},\n2,{"a":3}]'), [
    { line: 1, record: { a: 1 } },
    { line: 2, reason: /not a JSON object/ },
    { line: 3, record: { a: 3 } },
  ])
  t.match(read('[{"a":1},'), [{ line: 1, reason: /incomplete/ }])
  t.same(read(JSON.stringify({ a: { b: 1 } }, null, 2)), [{ line: 1, record: { a: { b: 1 } } }])
})

t.test('a first line that only looks like an array does not affect the other lines', async t => {
  t.match(read('[12:00:01] started\n\n{"a":1}\n[{"a":2}]'), [
    { line: 1, reason: /not JSON/ },
    { line: 3, record: { a: 1 } },
    { line: 4, reason: /not an object/ },
  ])
})

t.test('invalid UTF-8 is replaced', async t => {
  const line = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xe2, 0x82]), Buffer.from('"}')])
  t.same(read(line), [{ line: 1, record: { a: '\ufffd\ufffd' } }])
})

t.test('rejects deep nesting before parsing', async t => {
  const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  t.match(read(`${deep}\n{"a":1}`), [{ line: 1, reason: /nested deeper than 1000 levels/ }, { line: 2 }])
  for (const whole of [`[${deep}]`, '['.repeat(200_000) + ']'.repeat(200_000)])
    t.match(read(whole), [{ line: 1, reason: /nested deeper than 1000 levels/ }])
})

t.test('invalid elements of an array do not affect the others', async t => {
  const long = JSON.stringify({ a: 'x'.repeat(maxRecordBytes) })
  t.match(read(`[{"a":1},{"a":},${long},,{"a":2}]`), [
    { line: 1, record: { a: 1 } },
    { line: 2, reason: /^The element is not JSON/ },
    { line: 3, reason: /longer than/ },
    { line: 4, reason: /^The element is not JSON/ },
    { line: 5, record: { a: 2 } },
  ])
})

t.test('rejects an object that spans several lines and is too long', async t => {
  t.match(read(`{\n"a":"${'x'.repeat(maxRecordBytes)}"}`), [
    { line: 1, reason: /^The object is longer than/ },
  ])
})

t.test('rejects a record with too many values before parsing', async t => {
  const values = (count: number) => `{"a":[${Array.from({ length: count - 2 }, () => 1).join(',')}]}`
  t.match(read(values(maxJsonValues - 1)), [{ line: 1, record: {} }])
  t.match(read(values(maxJsonValues + 2)), [{ line: 1, reason: /more than 20000 values/ }])
})

t.test('pauses for every kind of body', async t => {
  const sizeBytes = 8 * sliceBytes
  const repeat = (text: string) => text.repeat(sizeBytes / text.length)
  const bodies = {
    spaces: repeat(' '),
    'empty lines': repeat('\n'),
    'spaces in an array': `[${repeat(' ')}`,
    'an open array': repeat('['),
    'elements of an open array': `[${repeat('{"a":1},')}`,
    'a long element': `[{"a":"${repeat('x')}${repeat('\\"')}"}]`,
    'a long nested array': `[[${repeat('{},')}{}]]`,
    'fields of an object over several lines': `{\n${repeat('"a":1,')}"a":1}`,
    'a long name': `{\n"${repeat('a')}`,
  }
  for (const [name, body] of Object.entries(bodies)) {
    const yields = [...readLines(Buffer.from(body))].length
    t.ok(yields >= 8, `${name}: ${yields}`)
  }
})

t.test('property: lines round-trip, and arbitrary bytes never cause an exception', async () => {
  const record = fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue())
  /** Integers that a number cannot represent exactly become text. */
  const exact = (_: string, value: unknown) =>
    Number.isSafeInteger(value) || !/^-?\d+$/.test(JSON.stringify(value)) ? value : String(value)
  fc.assert(
    fc.property(fc.array(record), fc.constantFrom('\n', '\r\n', '\n\n'), (records, end) => {
      const json = records.map(each => JSON.stringify(each))
      const back = read(json.join(end)).map(each => ('record' in each ? JSON.stringify(each.record) : each))
      return (
        JSON.stringify(back) === JSON.stringify(json.map(each => JSON.stringify(JSON.parse(each, exact))))
      )
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      read(Buffer.from(bytes))
    }),
  )
})
