/** Tests that the server can parse the searches that shared/query.ts builds in the browser. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { attributeField, fieldNames, type Query, quoted, withoutTerm, withTerm } from '../../shared/query.ts'
import { searchWords } from '../../shared/query-words.ts'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { parseQuery } from './parse.ts'

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }),
  fc.constantFrom(
    'AND',
    'OR',
    'NOT',
    '-a',
    'a:b',
    '(a',
    'a)',
    '"',
    '\\',
    '\\"',
    '*',
    '[1 TO 2]',
    '5xx',
    ' ',
    '//a',
  ),
)

t.test('property: parsing a quoted value returns the original value', async t => {
  fc.assert(
    fc.property(anyText, value => {
      const literal = value.includes('*') ? { literal: true } : {}
      assert.deepEqual(parseQuery(quoted(value)), { query: { kind: 'text', text: value } })
      assert.deepEqual(parseQuery(`service:${quoted(value)}`), {
        query: { kind: 'field', field: 'service', comparison: '=', value, ...literal },
      })
    }),
  )
  t.equal(quoted('req-8c1f'), 'req-8c1f')
  t.equal(quoted('/api/cart'), '/api/cart')
  t.equal(quoted('/'), '/')
})

t.test('property: attributeField returns a name that is parsed as the attribute', async t => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.constantFrom(...fieldNames.flat(), 'attributes.x', 'Level')), path => {
      assert.deepEqual(parseQuery(withTerm('', attributeField(path), 'x')), {
        query: { kind: 'attribute', path, comparison: '=', value: 'x' },
      })
    }),
  )
  t.equal(attributeField('user.plan'), 'user.plan')
  t.equal(attributeField('level'), 'attributes.level')
})

const atom = fc.constantFrom(
  ...[
    'a',
    '-b',
    '"c d"',
    'service:api',
    '-status:>=500',
    'total(',
    'f(x)',
    '- ',
    '->',
    '"x\\" OR ("',
    'NOT d',
    'NOT(d)',
    '--e',
  ],
)
const { search } = fc.letrec<{ search: string }>(tie => ({
  search: fc.oneof(
    { maxDepth: 4 },
    fc.constant(''),
    atom,
    fc
      .tuple(tie('search'), fc.constantFrom(' ', ' AND ', ' OR ', '\n'), tie('search'))
      .map(parts => parts.join('')),
    tie('search').map(inner => `(${inner} )`),
    tie('search').map(inner => `-(${inner} )`),
  ),
}))

const added: [string, string | number, boolean][] = [
  ['service', 'shop', false],
  ['service', 'shop', true],
  ['status', 500, false],
  ['message', 'a "b" (c OR', true],
]

t.test('property: the term of a number is parsed as the same number', async t => {
  const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  fc.assert(
    fc.property(number, value => {
      assert.deepEqual(parseQuery(withTerm('', 'cart.total', value)), {
        query: { kind: 'attribute', path: 'cart.total', comparison: '=', value: value + 0 },
      })
    }),
  )
  t.equal(withTerm('', 'cart.total', 1e21), 'cart.total:1e+21')
})

t.test('property: withTerm adds a term with AND', async t => {
  let parsed = 0
  fc.assert(
    fc.property(search, fc.constantFrom(...added), (typed, [field, value, exclude]) => {
      const before = parseQuery(typed)
      if ('problem' in before) return
      parsed += 1
      const term = parseQuery(withTerm('', field, value, exclude))
      if ('problem' in term) throw new Error(term.problem.message)
      const both: Query =
        typed.trim() === '' ? term.query : { kind: 'and', left: before.query, right: term.query }
      assert.deepEqual(parseQuery(withTerm(typed, field, value, exclude)), { query: both }, typed)
    }),
    { numRuns: 1000 },
  )
  t.ok(parsed > 200, 'enough valid searches')
})

t.test('property: withTerm does not repeat a term, and replaces its negation', async t => {
  fc.assert(
    fc.property(search, fc.constantFrom(...added), (typed, [field, value, exclude]) => {
      if ('problem' in parseQuery(typed)) return
      const once = withTerm(typed, field, value, exclude)
      assert.equal(withTerm(once, field, value, exclude), once)
      const negated = withTerm(once, field, value, !exclude)
      assert.equal(withTerm(negated, field, value, exclude), once)
    }),
  )
  t.equal(withTerm('a service:api b', 'service', 'api', true), 'a b -service:api')
  t.equal(withTerm('a OR b', 'service', 'api'), '(a OR b) service:api')
})

t.test('withoutTerm removes a term only if this does not change the meaning of the rest', async t => {
  t.equal(withoutTerm('a  service:api  b', 'service:api'), 'a  b')
  t.equal(withoutTerm('-service:api', '-service:api'), '')
  t.equal(withoutTerm('-service:api', 'service:api'), '-service:api')
  t.equal(withoutTerm('"say service:api here"', 'service:api'), '"say service:api here"')
  t.equal(withoutTerm('a OR service:api', 'service:api'), 'a OR service:api')
  t.equal(withoutTerm('NOT service:api b', 'service:api'), 'NOT service:api b')
  t.equal(withoutTerm('(service:api b)', 'service:api'), '(service:api b)')
})

t.test('property: searchWords covers all text except white space', async t => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), typed => {
      const words = searchWords(typed)
      const rest = words.reduceRight((text, { from, to }) => text.slice(0, from) + text.slice(to), typed)
      return (
        rest.trim() === '' && words.every(({ text, from, to }) => text === typed.slice(from, to) && to > from)
      )
    }),
  )
  t.pass()
})
