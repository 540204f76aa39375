import fc from 'fast-check'
import t from 'tap'
import { addressOf, startClickHouse } from '../../../../scripts/test/clickhouse.ts'
import type { Json } from '../../../../shared/event.ts'
import { attributeKeys } from '../../common/attribute-keys.ts'
import { list, text } from '../../common/rows.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import { connect } from '../engine/connection.ts'
import { attributeExists, attributeText, ofAttribute } from './attribute.ts'
import { attributesJson } from './attributes-json.ts'
import { matches } from './match.ts'
import { textList } from './text-list.ts'

const address = addressOf(await startClickHouse(t), 'default')
const { select, close } = connect(address)
t.teardown(close)

/** Few keys and values, so that many attributes match. */
const key = fc.constantFrom('a', 'b', 'a.b', 'key', 'KEY', '\u212aey', '0', 'q"', 'é')
const texts = fc.constantFrom(
  'pro',
  'PRO',
  'kim',
  '\u212aim',
  'to\u212aen',
  'pi\u0130',
  'é',
  'prö',
  'tru',
  'nul',
  'a"b',
  'a/b',
  'x\u2028',
  '{"a":1}',
)
const value = fc.oneof(texts, fc.constantFrom('true', 'null', '1', '1e21', '', 'pro m'))
const edgeNumbers = [1, 1e21, 1e-7, 0.00001, 2 ** 53, 2 ** 63, 2 ** 64, 1e20, -(2 ** 63), -(2 ** 65)]
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(...edgeNumbers))
const leaf: fc.Arbitrary<Json> = fc.oneof(
  value,
  number.map(each => (Number.isFinite(each) ? each : null)),
  fc.boolean(),
  fc.constant(null),
)
const json: fc.Arbitrary<Json> = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 2 }),
  fc.dictionary(key, leaf, { maxKeys: 3 }),
)
const attributes = fc.dictionary(key, json, { maxKeys: 4 })
const keys = fc.array(key, { minLength: 1, maxLength: 2 })
const stored = fc.array(attributes.map(attributesJson), { minLength: 1, maxLength: 30 })

/** Replaces letters with others that have the same lower-case form. */
const respell = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.replaceAll(/k/gi, '\u212a'),
  (text: string) => text.replaceAll('\u212a', 'k'),
)

/** An attribute, and a pattern that often matches it. */
const search = fc
  .record({
    keys,
    value: fc.oneof(texts, json),
    isNested: fc.boolean(),
    isInList: fc.boolean(),
    respell,
    length: fc.nat({ max: 12 }),
    other: fc.option(value, { freq: 1 }),
    isLiteral: fc.boolean(),
  })
  .map(({ keys, value, isNested, isInList, respell, length, other, isLiteral }) => {
    const path = keys.join('.')
    const stored = isInList ? [value] : value
    const attributes = isNested
      ? keys.reduceRight<Json>((inner, key) => ({ [key]: inner }), stored)
      : { [path]: stored }
    const own = typeof value === 'string' ? value : JSON.stringify(value)
    const start = isLiteral || length >= own.length ? own : `${own.slice(0, length)}*`
    return {
      path: isInList ? `${path}.0` : path,
      json: attributesJson(attributes),
      pattern: { text: other ?? respell(start), isLiteral },
    }
  })

const searches = fc.array(search, { minLength: 1, maxLength: 12 })

t.test('property: ClickHouse can parse all attributes', async t => {
  await fc.assert(
    fc.asyncProperty(stored, async stored => {
      const [row] = await select(
        sql`SELECT arrayFilter(json -> NOT isValidJSON(json), ${textList(stored)}) AS invalid`,
      )
      t.same(row?.invalid, [])
    }),
    { numRuns: 12 },
  )
})

/**
 * For each condition, the attributes that match it. A single statement evaluates all conditions, because planning takes
 * longer than evaluating them.
 */
async function matching(all: readonly string[], conditions: readonly Sql[]): Promise<string[][]> {
  const columns = sql`'' AS body, '' AS service, NULL AS route, NULL AS request_id, NULL AS trace_id, NULL AS span_id,
    NULL AS digest, NULL AS fingerprint, NULL AS exception_type, NULL AS exception_message, NULL AS exception_stack`
  const found = conditions.map(
    condition => sql`arraySort(groupArrayIf(attributes, ifNull(${condition}, false)))`,
  )
  const [row] = await select(sql`SELECT [${join(found, ', ')}] AS found FROM (
    SELECT arrayJoin(${textList(all)}) AS attributes, ${columns})`)
  return list(row?.found, each => list(each, text))
}

const hasPosition = (path: string) => path.split('.').some(key => /^\d+$/.test(key))

/** The JSON that a path may refer to. */
function jsonOf(path: string): Sql[] {
  return attributeKeys(path).map(keys => {
    const list = join(
      keys.map(key => sql`${key}`),
      ', ',
    )
    return sql`JSONExtractRaw(attributes, ${list})`
  })
}

/** Parses the JSON of every event. */
function parsedText(path: string): Sql {
  const texts = jsonOf(path).map(
    json =>
      sql`multiIf(${json} IN ('', 'null'), NULL, startsWith(${json}, '"'), JSONExtractString(${json}), ${json})`,
  )
  return sql`coalesce(${join(texts, ', ')})`
}

t.test('property: an attribute matches if its text in the parsed JSON matches', async t => {
  await fc.assert(
    fc.asyncProperty(stored, searches, async (others, searches) => {
      const all = [...others, ...searches.map(({ json }) => json)]
      const conditions = searches.flatMap(({ path, pattern }) => [
        ofAttribute(path, pattern, matches(attributeText(path), pattern)),
        matches(hasPosition(path) ? attributeText(path) : parsedText(path), pattern),
      ])
      const found = await matching(all, conditions)
      for (const [index, { path }] of searches.entries()) t.same(found[2 * index], found[2 * index + 1], path)
    }),
    { numRuns: 25 },
  )
})

t.test('property: an attribute exists if the parsed JSON contains it', async t => {
  await fc.assert(
    fc.asyncProperty(stored, searches, async (others, searches) => {
      const all = [...others, ...searches.map(({ json }) => json)]
      const conditions = searches.flatMap(({ path }) => {
        const parsed = jsonOf(path).map(json => sql`${json} <> ''`)
        return [
          ofAttribute(path, null, attributeExists(path)),
          hasPosition(path) ? attributeExists(path) : sql`(${join(parsed, ' OR ')})`,
        ]
      })
      const found = await matching(all, conditions)
      for (const [index, { path }] of searches.entries()) t.same(found[2 * index], found[2 * index + 1], path)
    }),
    { numRuns: 10 },
  )
})
