import fc from 'fast-check'
import t from 'tap'
import { addressOf, startClickHouse } from '../../../../scripts/test/clickhouse.ts'
import { list, number } from '../../common/rows.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import { connect } from '../engine/connection.ts'
import { containsText } from './contains-text.ts'
import { textList } from './text-list.ts'

const address = addressOf(await startClickHouse(t), 'default')
const { select, close } = connect(address)
t.teardown(close)

/** Includes letters whose lower-case form is ASCII, has a different length, or depends on the letters around them. */
const letter = fc.constantFrom(...'aAbiIkKſ\u212a\u0130\u0307ıΣσςßẞÉé😀%_\\*"\'\n\0 1')
const word = fc.oneof(
  fc.string({ unit: letter, maxLength: 6 }),
  fc.constantFrom('bab', 'token', 'TO\u212aEN', 'ab\u0130', 'Bab Bab', 'ba*ab'),
)
const text = fc.array(word, { maxLength: 4 }).map(words => words.join(''))
const words = fc.array(word, { minLength: 1, maxLength: 15 })
const texts = fc.array(text, { minLength: 1, maxLength: 30 })

/**
 * For each condition, the indexes of the texts that match it. Texts with odd indexes are in an attribute, and the others in
 * the message. A single statement evaluates all conditions, because planning takes longer than evaluating them.
 */
async function matching(all: readonly string[], conditions: readonly Sql[]): Promise<number[][]> {
  const bodies = all.map((text, index) => (index % 2 === 0 ? text : ''))
  const attributes = all.map((text, index) => JSON.stringify(index % 2 === 0 ? {} : { [text]: text }))
  const others = sql`'' AS service, NULL AS route, NULL AS request_id, NULL AS trace_id, NULL AS span_id, NULL AS digest,
    NULL AS fingerprint, NULL AS exception_type, NULL AS exception_message, NULL AS exception_stack`
  const found = conditions.map(condition => sql`arraySort(groupArrayIf(number, ifNull(${condition}, false)))`)
  const [row] = await select(sql`
    SELECT [${join(found, ', ')}] AS found
    FROM (SELECT row.1 AS body, row.2 AS attributes, row.3 AS number, ${others} FROM (
      SELECT arrayJoin(arrayZip(${textList(bodies)}, ${textList(attributes)}, range(${all.length}))) AS row))`)
  return list(row?.found, each => list(each, number))
}

/** Like `containsText`, without the conditions that exclude events early. */
function meaning(words: string): Sql {
  const inJson = JSON.stringify(words).slice(1, -1)
  const like = (text: string) => sql`lowerUTF8(${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`})`
  return sql`(lowerUTF8(body) LIKE ${like(words)} OR lowerUTF8(attributes) LIKE ${like(inJson)})`
}

t.test('property: finds the texts that contain the words after both are converted to lower case', async t => {
  await fc.assert(
    fc.asyncProperty(texts, words, async (all, words) => {
      const conditions = words.flatMap(each => [containsText(each), meaning(each)])
      const found = await matching(all, conditions)
      for (const [index, each] of words.entries()) t.same(found[2 * index], found[2 * index + 1], each)
    }),
    { numRuns: 15 },
  )
})

t.test(
  'property: finds words in text that spells them with other letters that have the same lower-case form',
  async t => {
    const respelled = fc.constantFrom('TO\u212aEN', 'to\u212aen', 'TOKEN', 'Token')
    await fc.assert(
      fc.asyncProperty(texts, respelled, respelled, async (all, stored, words) => {
        const [found] = await matching([...all, stored], [containsText(words)])
        t.ok(found?.includes(all.length))
      }),
      { numRuns: 15 },
    )
  },
)

/** No character above this code point has an upper-case or lower-case form. */
const lastLetter = 0x1ffff

t.test('no ASCII letter except i and k is the lower-case form of a non-ASCII letter', async t => {
  const found: unknown[] = []
  const step = 20_000
  for (let start = 128; start <= lastLetter; start += step) {
    const characters = Array.from({ length: step }, (_, index) => String.fromCodePoint(start + index))
    const some = characters.filter(each => each.isWellFormed())
    const rows = await select(sql`
      SELECT text FROM (SELECT arrayJoin(${textList(some)}) AS text) WHERE match(lowerUTF8(text), '[\\x00-\\x7f]')`)
    found.push(...rows.map(({ text }) => text))
  }
  t.same(found, ['\u0130', '\u212a'])
})
