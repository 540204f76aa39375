import fc from 'fast-check'
import t from 'tap'
import { addressOf, startClickHouse } from '../../../../scripts/test/clickhouse.ts'
import { anyCharacter } from '../../../../shared/testing/any-character.ts'
import { join, raw, type Sql, sql } from '../../common/sql.ts'
import { connect } from '../engine/connection.ts'
import { literal } from './literal.ts'

const address = addressOf(await startClickHouse(t), 'default')
const { select, close } = connect(address)
t.teardown(close)

const special = fc.constantFrom(
  '\\',
  "'",
  '"',
  '`',
  '\0',
  '\n',
  '\r',
  '\t',
  '\b',
  '{p0:String}',
  '\\N',
  '\\0',
  ';',
)
const surrogate = fc.constantFrom('\ud800', '\udfff')
const text = fc.array(fc.oneof(special, anyCharacter, surrogate)).map(parts => parts.join(''))
const edge = [0, -0, 5e-324, -5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** 53, 2 ** 64, 1e21, 1e-7]
const number = fc.oneof(fc.maxSafeInteger(), fc.double(), fc.constantFrom(...edge))
const value = fc.oneof(text, number, fc.boolean())

t.test('property: a literal has the same type and value as a parameter', async t => {
  const describe = (value: Sql) => sql`(toTypeName(${value}), hex(${value}), toString(${value}))`
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 20 }), async values => {
      const literals = values.map(each => describe(raw(literal(each))))
      const parameters = values.map(each => describe(sql`${each}`))
      const rows = await select(
        sql`SELECT [${join(literals, ', ')}] AS literals, [${join(parameters, ', ')}] AS parameters`,
      )
      t.strictSame(rows[0]?.literals, rows[0]?.parameters)
    }),
  )
})

t.test('property: the values of a long statement arrive unchanged', async t => {
  const long = 'x'.repeat(5000)
  await fc.assert(
    fc.asyncProperty(text, number, fc.boolean(), async (text, number, flag) => {
      const rows = await select(
        sql`SELECT ${long + text} AS text, ${number} AS number, ${flag} AS flag, ${null} AS nothing`,
      )
      t.strictSame(rows, [
        {
          text: long + text.toWellFormed(),
          // JSON contains neither infinite numbers nor NaN.
          number: Number.isFinite(number) ? number : null,
          flag,
          nothing: null,
        },
      ])
    }),
  )
})
