import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { shortenRecord } from './shorten-record.ts'

const maxBytes = 1024 * 1024
const common = {
  level: 50,
  time: 1700000001,
  msg: 'failed',
  err: { type: 'Error', stack: 'Error: x\n    at f' },
}
const shorten = (record: object | string) => {
  const json = shortenRecord(typeof record === 'string' ? record : JSON.stringify(record), maxBytes)
  t.ok(Buffer.byteLength(json) <= maxBytes)
  return JSON.parse(json)
}

t.test('cuts long texts, and keeps the other fields', async t => {
  const { page, ...others } = shorten({ page: 'x'.repeat(2_000_000), ...common })
  t.same(others, common)
  t.match(page, /^x+ … \[1,936,000 characters cut\]$/)
  for (const text of ['ü', '\u0001', '😀'])
    t.match(shorten({ ...common, pages: Array.from({ length: 50 }, () => text.repeat(20_000)) }), common)
})

t.test('cuts long lists and objects to what the server accepts', async t => {
  const rows = Array.from({ length: 20_000 }, (_, id) => ({
    id,
    name: `item ${id}`,
    tags: ['a', 'b'],
    price: 1.5,
  }))
  const shortened = shorten({ ...common, rows })
  t.match(shortened, { ...common, rows: rows.slice(0, 200) })
  t.match(shortened.rows.at(-1), /^\[19\d{3} more\]$/)
  const { byId, ...others } = shorten({
    ...common,
    byId: Object.fromEntries(rows.map(row => [`id${row.id}`, row])),
  })
  t.same(others, common)
  t.match(byId, { id0: rows[0], '…': /^\[19\d{3} more\]$/ })
  t.match(shorten({ ...common, numbers: Array.from({ length: 500_000 }, () => 0.25) }), common)
})

t.test('keeps exact integers and names such as __proto__', async t => {
  const json = `{"id":1234567890123456789,"__proto__":{"a":1},"page":"${'x'.repeat(2_000_000)}"}`
  const shortened = shorten(json)
  t.equal(shortened.id, '1234567890123456789')
  t.same(Object.entries(shortened)[1], ['__proto__', { a: 1 }])
})

t.test('limits the depth', async t => {
  const depth = 1_000_000
  t.match(shorten(`{"level":50,"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`), { level: 50 })
})

t.test('shortens any record', async () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: anyCharacter }), fc.nat(100), (value, copies) => {
      const values = Array.from({ length: copies }, () => value)
      const json = shortenRecord(JSON.stringify({ ...common, values }), 2000)
      const { values: _, ...others } = JSON.parse(json)
      return JSON.stringify(others) === JSON.stringify(common)
    }),
  )
})
