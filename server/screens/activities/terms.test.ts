import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Query } from '../../../shared/query.ts'
import { severities } from '../../../shared/severity.ts'
import { parseQuery } from '../../query/parse.ts'
import { anEvent, testWindow } from '../../store/conformance/testing.ts'
import { openMemoryStore } from '../../store/memory/store.ts'
import {
  attributesIn,
  filteredValues,
  type Search,
  severitiesOf,
  severityToggle,
  termsOf,
  withoutField,
  withoutSeverities,
} from './terms.ts'

function search(q: string): Search {
  const parsed = parseQuery(q)
  if ('problem' in parsed) throw new Error(parsed.problem.message)
  return { q, query: parsed.query }
}

t.test('returns the severities that a search can match', async t => {
  const cases: [string, string[] | null][] = [
    ['', null],
    ['service:shop', null],
    ['severity:error', ['error']],
    ['service:shop severity:>=warn', ['warn', 'error', 'fatal']],
    ['-severity:debug', ['trace', 'info', 'warn', 'error', 'fatal']],
    ['severity:error OR severity:info', ['info', 'error']],
    ['severity:error OR timeout', null],
    ['severity:<info -severity:trace', ['debug']],
    ['severity:error severity:info', []],
  ]
  for (const [q, expected] of cases) t.same(severitiesOf(search(q).query), expected, q)
})

t.test('a chip selects or deselects one severity', async t => {
  const cases: [string, string][] = [
    ['', 'severity:error'],
    ['timeout', 'timeout severity:error'],
    ['timeout severity:warn', 'timeout severity:error'],
    ['level:>=warn timeout', 'timeout severity:error'],
    ['-severity:debug -severity:trace', 'severity:error'],
    ['timeout severity:error', 'timeout'],
    ['timeout OR refused', '(timeout OR refused) severity:error'],
    ['severity:error AND timeout', 'timeout'],
    ['a AND b AND severity:warn c', 'a AND b c severity:error'],
    ['(severity:error OR severity:warn) timeout', 'timeout severity:error'],
    ['severity:warn OR severity:info', 'severity:error'],
    ['NOT severity:warn -(severity:info OR severity:debug) timeout', 'timeout severity:error'],
    ['(severity:error timeout) refused', '(timeout) refused'],
    ['(severity:error timeout) OR (severity:error refused)', '(timeout) OR (refused)'],
    ['severity:warn a OR severity:warn b', '(a OR b) severity:error'],
    ['(severity:error OR severity:error a) b', 'b'],
    ['(severity:error a) OR (severity:warn b)', '((severity:error a) OR (severity:warn b)) severity:error'],
    ['(severity:warn timeout) OR refused', '((severity:warn timeout) OR refused) severity:error'],
  ]
  for (const [q, expected] of cases) t.equal(severityToggle(search(q))('error'), expected, q)
})

const atom = fc.constantFrom('a', '-b', 'severity:error', '-level:info', 'sev:>=warn', 'NOT severity:warn')
const { typed } = fc.letrec<{ typed: string }>(tie => ({
  typed: fc.oneof(
    { maxDepth: 3 },
    atom,
    fc.tuple(tie('typed'), fc.constantFrom(' ', ' AND ', ' OR '), tie('typed')).map(parts => parts.join('')),
    tie('typed').map(inner => `(${inner})`),
    tie('typed').map(inner => `-(${inner})`),
  ),
}))

t.test(
  'property: a chip finds the events of its severity that match the search without severities',
  async () => {
    const store = openMemoryStore()
    await store.append(
      severities.flatMap(severity => ['', 'a', 'b', 'a b'].map(body => anEvent({ severity, body }))),
    )
    const count = async (query: Query, wanted: readonly string[] = severities) => {
      const [counts] = await store.facets({ window: testWindow, query }, ['severity'], severities.length)
      const found = counts?.values.filter(({ value }) => wanted.includes(value)) ?? []
      return found.reduce((sum, each) => sum + each.count, 0)
    }
    await fc.assert(
      fc.asyncProperty(typed, fc.constantFrom(...severities), async (q, severity) => {
        const { query } = search(q)
        const chosen = search(severityToggle({ q, query })(severity)).query
        const isDeselected = severitiesOf(query)?.join() === severity
        const expected = await count(withoutSeverities(query), isDeselected ? severities : [severity])
        assert.equal(await count(chosen), expected, q)
      }),
    )
  },
)

t.test('withoutField returns the terms of other fields without copying them', async t => {
  const { query } = search('-service:shop timeout severity:error')
  t.equal(withoutField(query, 'severity'), query.kind === 'and' && query.left)
  t.equal(withoutField(query, 'route'), query)
})

t.test('removes the terms of a field from a search', async t => {
  const cases: [string, string][] = [
    ['severity:error', ''],
    ['severity:error service:shop', 'service:shop'],
    ['service:shop -(severity:error OR severity:warn)', 'service:shop'],
    ['-severity:debug timeout status:500', 'timeout status:500'],
  ]
  for (const [q, expected] of cases) {
    t.same(withoutField(search(q).query, 'severity'), search(expected).query, q)
  }
})

t.test('returns the terms of a search and its included and excluded values', async t => {
  t.same(termsOf('a -service:api "two words" (b OR c)'), ['a', '-service:api', '"two words"', 'b', 'c'])
  t.same(filteredValues(search('service:shop -service:api status:500').query, 'service'), {
    included: ['shop'],
    excluded: ['api'],
  })
  t.same(filteredValues(search('service:shop OR service:api').query, 'service'), {
    included: ['shop', 'api'],
    excluded: [],
  })
  t.same(filteredValues(search('service:shop OR timeout').query, 'service'), {
    included: [],
    excluded: [],
  })
  t.same(filteredValues(search('service:check* -service:mail*').query, 'service'), {
    included: [],
    excluded: [],
  })
  t.same(filteredValues(search('service:"check*"').query, 'service').included, ['check*'])
})

t.test('attributes have terms like fields', async t => {
  const { query } = search('(tenant:a OR tenant:"b*") -attributes.level:7 plan:* cart:>5 service:shop')
  t.same(filteredValues(query, '@tenant'), { included: ['a', 'b*'], excluded: [] })
  t.same(filteredValues(query, '@level'), { included: [], excluded: ['7'] })
  t.same(filteredValues(query, '@plan'), { included: [], excluded: [] })
  t.same(filteredValues(search('tenant:a*').query, '@tenant').included, [])
  t.same(attributesIn(query), ['@tenant', '@tenant', '@level', '@plan', '@cart'])
  t.same(attributesIn(search(`${'x'.repeat(101)}:1`).query), [])
  t.same(
    withoutField(search('tenant:a plan:* -tenant:b cart:>5').query, '@tenant'),
    search('plan:* cart:>5').query,
  )
  t.same(withoutField(search('level:error attributes.level:7').query, '@level'), search('level:error').query)
})
