import fc from 'fast-check'
import t from 'tap'
import { join, sql } from '../../common/sql.ts'
import { statement } from './statement.ts'

t.test('binds values as typed parameters; equal values share one', async t => {
  t.same(
    statement(sql`a = ${'x'} AND b = ${2} AND c = ${2.5} AND d = ${true} AND e = ${'x'} AND f IS ${null}`),
    {
      text: 'a = {p0:String} AND b = {p1:Int64} AND c = {p2:Float64} AND d = {p3:Bool} AND e = {p0:String} AND f IS NULL',
      params: { p0: 'x', p1: 2, p2: 2.5, p3: true },
    },
  )
  t.throws(() => statement(sql`a = ${Buffer.from('x')}`), TypeError)
})

t.test('writes long values into the text, because ClickHouse limits the length of a parameter', async t => {
  const long = 'é'.repeat(1000)
  t.same(
    statement(
      sql`a = ${long} AND b = ${2} AND c = ${0.5} AND d = ${true} AND e IS ${null} AND f = ${"\\'\0"}`,
    ),
    {
      text: `a = '${long}' AND b = CAST('2', 'Int64') AND c = CAST('0.5', 'Float64') AND d = true AND e IS NULL AND f = '\\\\\\'\\0'`,
      params: {},
    },
  )
  t.throws(() => statement(sql`a = ${Buffer.from(long)}`), TypeError)
})

t.test('property: never inserts short values into the text', async () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.boolean())), values => {
      const conditions = values.map(value => sql`x = ${value}`)
      const { text, params } = statement(join(conditions, ' AND '))
      const names = [...text.matchAll(/x = \{(p\d+):\w+\}/g)].map(([, name]) => String(name))
      return (
        /^(x = \{p\d+:\w+\}( AND )?)*$/.test(text) &&
        names.length === values.length &&
        names.every((name, index) => Object.is(params[name], values[index]) || params[name] === values[index])
      )
    }),
  )
})
