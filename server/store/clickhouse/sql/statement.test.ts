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

t.test('property: never inserts values into the text', async () => {
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
