import fc from 'fast-check'
import t from 'tap'
import { pack, parsePacked } from './packed-json.ts'

const packed = (value: unknown) => JSON.stringify(pack(value))

t.test('field names and common values are written only once', async t => {
  const rows = [
    { id: 1, source: 'ndjson', digest: null },
    { id: 2, source: 'ndjson', digest: null },
  ]
  t.equal(packed({ rows }), '{"rows":{"$list":[["id","source","digest"],[[1,"ndjson"],[2,null]],[[1],[2]]]}}')
})

t.test('property: unpacking restores any JSON, including the field order', async () => {
  const field = fc.constantFrom('$list', 'one', '__proto__', 'a', 'b', '0')
  const leaf = fc.jsonValue({ maxDepth: 2 })
  const object = fc.array(fc.tuple(field, leaf), { maxLength: 4 }).map(fields => Object.fromEntries(fields))
  const row = fc.array(fc.oneof(leaf, object), { minLength: 6, maxLength: 6 })
  const list = fc
    .tuple(fc.uniqueArray(field), fc.array(row, { maxLength: 4 }))
    .map(([names, rows]) =>
      rows.map(row => Object.fromEntries(names.map((name, index) => [name, row[index]]))),
    )
  fc.assert(
    fc.property(fc.oneof(leaf, object, list, fc.array(list)), value => {
      const text = JSON.stringify(value)
      return JSON.stringify(parsePacked(packed(value))) === text
    }),
  )
})

t.test('fields without a value are omitted, as in JSON', async t => {
  const value = [
    { a: 1, b: undefined },
    { a: 2, b: 3 },
  ]
  t.same(parsePacked(packed(value)), [{ a: 1 }, { a: 2, b: 3 }])
})
