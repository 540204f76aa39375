import fc from 'fast-check'
import t from 'tap'
import { join, name, sql } from '../../common/sql.ts'
import { statement } from './statement.ts'

t.test('binds values as numbered parameters, in order, including those from nested fragments', async t => {
  const inner = sql`b = ${'x'} OR ${sql`c = ${true}`}`
  const { text, values } = statement(
    sql`a = ${1} AND (${inner}) AND ${join([sql`d`, sql`e = ${2.5}`], ' OR ')}`,
  )
  t.equal(text, 'a = $1 AND (b = $2 OR c = $3) AND d OR e = $4')
  t.same(values, [1, 'x', true, 2.5])
  t.same(statement(sql``), { text: '', values: [], types: [] })
  t.equal(statement(join([], ', ')).text, '')
})

t.test('never inserts values into the text', async t => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.double(), fc.boolean())), values => {
      const bound = statement(
        join(
          values.map(value => sql`x = ${value}`),
          ' AND ',
        ),
      )
      t.match(bound.text, /^(x = \$\d+( AND )?)*$/)
      t.same(bound.values, values)
    }),
  )
})

t.test('accepts only lower-case identifiers as table and column names', async t => {
  t.equal(statement(sql`FROM ${name('events_12')}`).text, 'FROM events_12')
  for (const text of ['', 'a.b', 'a b', '"a"', 'A', '1a', "a'--"]) t.throws(() => name(text), TypeError, text)
})
