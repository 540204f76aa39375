import t from 'tap'
import { parseQuery } from '../../query/parse.ts'
import { filteredValues, type Search, severitiesOf, termsOf, toggledSeverity, withoutField } from './terms.ts'

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
  ]
  for (const [q, expected] of cases) t.equal(toggledSeverity(search(q), 'error'), expected, q)
})

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
})
