import fc from 'fast-check'
import t from 'tap'
import { addressOf, startClickHouse } from '../../../../scripts/test/clickhouse.ts'
import type { Attributes, Json } from '../../../../shared/event.ts'
import { compares } from '../../common/compares.ts'
import { list, number } from '../../common/rows.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import { connect } from '../engine/connection.ts'
import { attributeNumber, attributeText } from './attribute.ts'
import { attributeTerms } from './attribute-terms.ts'
import { attributesJson } from './attributes-json.ts'
import { hasAttributeTerm } from './has-attribute-term.ts'
import { matches } from './match.ts'
import { textList } from './text-list.ts'

const address = addressOf(await startClickHouse(t), 'default')
const { select, close } = connect(address)
t.teardown(close)

/** Few keys and values, so that a path often refers to several attributes. */
const key = fc.constantFrom(
  'a',
  'a',
  'b',
  'b',
  'a.b',
  'b.a',
  'a.b.a',
  'A',
  'é',
  '',
  '\u00ff',
  '0',
  'id123',
  'id12345',
)
const value: fc.Arbitrary<string | number> = fc.oneof(
  fc.constantFrom(
    'pro',
    'PRO',
    'to\u212aen',
    'TOKEN',
    'pi\u0130',
    'é',
    'É',
    '',
    'null',
    'true',
    '{}',
    '[1]',
    'nan',
    'inf',
  ),
  fc.constantFrom(
    '5',
    ' 5',
    '5.0',
    '+5',
    '.5',
    '05',
    '5e0',
    '-0',
    '1e21',
    '0x5',
    '5\t',
    '12345',
    '1234',
    '12a34',
    'a12345',
  ),
  fc.constantFrom('x'.repeat(31), 'x'.repeat(33), 'x'.repeat(49), '\u0130'.repeat(16), '\u0130'.repeat(17)),
  fc.constantFrom(5, 0, -0, -5, 0.5, 1e21, 1e-7, 0.00001, 9999, -9999, 10000, 2 ** 53, 2 ** 64, -(2 ** 65)),
)
const leaf = fc.oneof(
  { weight: 6, arbitrary: value },
  fc.boolean(),
  fc.constant(null),
  fc.array(value, { maxLength: 2 }),
)
const object = (json: fc.Arbitrary<Json>) => fc.dictionary(key, json, { minKeys: 1, maxKeys: 4 })
const attributes = object(fc.oneof(leaf, object(fc.oneof(leaf, object(fc.oneof(leaf, object(leaf)))))))
const path = fc.array(key, { minLength: 1, maxLength: 3 }).map(keys => keys.join('.'))
const search = fc.record({ path, value: fc.oneof(value, fc.constantFrom('true', 'FALSE')) })

t.test('property: an attribute has the term of a value if and only if it equals the value', async t => {
  let found = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(attributes, { minLength: 20, maxLength: 100 }),
      fc.array(search, { minLength: 20, maxLength: 30 }),
      async (events, searches) => {
        const searched = [...searches, ...events.flatMap(event => leaves(event).slice(0, 1))]
        const byTerm = searched.flatMap(({ path, value }) => {
          const term = hasAttributeTerm(path, value)
          return term === null ? [] : [{ path, value, term }]
        })
        const conditions = byTerm.flatMap(({ path, value, term }) => [term, equals(path, value)])
        const matching = await eventsMatching(events.map(attributesJson), conditions)
        byTerm.forEach(({ path, value }, index) => {
          const [actual = [], expected = []] = matching.slice(2 * index)
          found += expected.length
          t.same(actual, expected, JSON.stringify({ path, value }))
        })
      },
    ),
    { numRuns: 16 },
  )
  t.ok(found > 100, `${found} events found`)
})

/** The strings and numbers in an object, with their paths. */
function leaves(object: Attributes, prefix = ''): { path: string; value: string | number }[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const path = `${prefix}${key}`
    if (typeof value === 'string' || typeof value === 'number') return [{ path, value }]
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? leaves(value, `${path}.`) : []
  })
}

function equals(path: string, value: string | number): Sql {
  return typeof value === 'number'
    ? compares(attributeNumber(path), '=', value)
    : matches(attributeText(path), { text: value, isLiteral: true })
}

/** For each condition, the positions of the events that match it. */
async function eventsMatching(all: readonly string[], conditions: readonly Sql[]): Promise<number[][]> {
  const found = conditions.map(
    condition => sql`arraySort(groupArrayIf(position, ifNull(${condition}, false)))`,
  )
  const [row] = await select(sql`SELECT [${join(found, ', ')}] AS found FROM (
    SELECT *, ${attributeTerms} AS attribute_terms
    FROM (SELECT arrayJoin(arrayZip(${textList(all)}, range(${all.length}))) AS pair,
      pair.1 AS attributes, pair.2 AS position))`)
  return list(row?.found, each => list(each, number))
}
