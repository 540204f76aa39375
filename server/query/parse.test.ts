import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { Query } from '../../shared/query.ts'
import { fieldHelp } from '../../shared/query-help.ts'
import { searchExamples } from '../../shared/search-examples.ts'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { parseQuery } from './parse.ts'

const text = (value: string): Query => ({ kind: 'text', text: value })
const not = (query: Query): Query => ({ kind: 'not', query })
const and = (left: Query, right: Query): Query => ({ kind: 'and', left, right })
const or = (left: Query, right: Query): Query => ({ kind: 'or', left, right })

function reads(t: Test, cases: Record<string, Query>) {
  for (const [typed, query] of Object.entries(cases)) t.same(parseQuery(typed), { query }, typed)
}

t.test('parses operators and parentheses with the correct precedence', async t => {
  const [a, b, c, d] = [text('a'), text('b'), text('c'), text('d')]
  reads(t, {
    '': { kind: 'all' },
    ' \t\r\n\u00a0': { kind: 'all' },
    'a b c': and(and(a, b), c),
    'a AND b\nc': and(and(a, b), c),
    'a OR b c OR d': or(or(a, and(b, c)), d),
    '(a OR b) (c OR d)': and(or(a, b), or(c, d)),
    '(a)(b)"c"d': and(and(and(a, b), c), d),
    'NOT a b': and(not(a), b),
    '-(a OR b) -c': and(not(or(a, b)), not(c)),
    'NOT -a': a,
    'NOT NOT NOT (a)': not(a),
    'NOT (NOT a)': not(not(a)),
    'NOT(a OR b)': not(or(a, b)),
    'a AND(b)OR(NOT(c))': or(and(a, b), not(c)),
    'a ANDROID(b) NOT(c)': and(and(a, text('ANDROID(b)')), not(c)),
    'a or b': and(and(a, text('or')), b),
  })
})

t.test('parses field terms', async t => {
  reads(t, {
    'Service:API': { kind: 'field', field: 'service', comparison: '=', value: 'API' },
    'svc:api': { kind: 'field', field: 'service', comparison: '=', value: 'api' },
    '"msg":"card declined"': { kind: 'field', field: 'message', comparison: '=', value: 'card declined' },
    'route:/api/*': { kind: 'field', field: 'route', comparison: '=', value: '/api/*' },
    'route:"/api/*"': { kind: 'field', field: 'route', comparison: '=', value: '/api/*', literal: true },
    'digest:*': { kind: 'exists', field: 'digest' },
    'status:>=500': { kind: 'field', field: 'status', comparison: '>=', value: 500 },
    'status:"500"': { kind: 'field', field: 'status', comparison: '=', value: 500 },
    'status:5xx': { kind: 'between', field: 'status', from: 500, to: 599 },
    'status:[ 400 TO 499 ]': { kind: 'between', field: 'status', from: 400, to: 499 },
    'status:[* TO 499]': { kind: 'field', field: 'status', comparison: '<=', value: 499 },
    'status:[* TO *]': { kind: 'exists', field: 'status' },
    'duration:>1.5s': { kind: 'field', field: 'duration', comparison: '>', value: 1500 },
    'duration:2.01s': { kind: 'field', field: 'duration', comparison: '=', value: 2010 },
    'duration:1.1ms': { kind: 'field', field: 'duration', comparison: '=', value: 1.1 },
    'duration:[100 TO 2min]': { kind: 'between', field: 'duration', from: 100, to: 120_000 },
    'severity:>=WARNING': { kind: 'field', field: 'severity', comparison: '>=', value: 'warn' },
    'level:50': { kind: 'field', field: 'severity', comparison: '=', value: 'error' },
    'severity:[* TO warn]': { kind: 'field', field: 'severity', comparison: '<=', value: 'warn' },
    'severity:[error TO *]': { kind: 'field', field: 'severity', comparison: '>=', value: 'error' },
    'severity:[* TO *]': { kind: 'exists', field: 'severity' },
    'status:=[400 TO 499]': { kind: 'between', field: 'status', from: 400, to: 499 },
    'severity:[warn TO error]': and(
      { kind: 'field', field: 'severity', comparison: '>=', value: 'warn' },
      { kind: 'field', field: 'severity', comparison: '<=', value: 'error' },
    ),
  })
})

t.test('parses the names under which OpenTelemetry, pino and others log a field', async t => {
  reads(t, {
    'duration_ms:>100': { kind: 'field', field: 'duration', comparison: '>', value: 100 },
    'service.name:checkout': { kind: 'field', field: 'service', comparison: '=', value: 'checkout' },
    'service.version:1.4': { kind: 'field', field: 'release', comparison: '=', value: '1.4' },
    'http.route:/api/*': { kind: 'field', field: 'route', comparison: '=', value: '/api/*' },
    'http.request.method:get': { kind: 'field', field: 'method', comparison: '=', value: 'get' },
    'http.response.status_code:500': { kind: 'field', field: 'status', comparison: '=', value: 500 },
    'res.statusCode:500': { kind: 'field', field: 'status', comparison: '=', value: 500 },
    'req.method:GET': { kind: 'field', field: 'method', comparison: '=', value: 'GET' },
    'req.id:*': { kind: 'exists', field: 'request' },
    'attributes.service.name:a': { kind: 'attribute', path: 'service.name', comparison: '=', value: 'a' },
  })
})

t.test('parses attribute terms', async t => {
  const attribute = (path: string, value: string | number | boolean): Query => ({
    kind: 'attribute',
    path,
    comparison: '=',
    value,
  })
  reads(t, {
    'user.plan:pro': attribute('user.plan', 'pro'),
    'attributes.user.plan:pro': attribute('user.plan', 'pro'),
    'attributes.level:3': attribute('level', 3),
    '"user name":"é ü"': attribute('user name', 'é ü'),
    'retry:true': attribute('retry', true),
    'user:"42"': attribute('user', '42'),
    'user:007': attribute('user', '007'),
    'account:12345678901234567890': attribute('account', '12345678901234567890'),
    'tags:a*': attribute('tags', 'a*'),
    'tags:*': { kind: 'exists', field: { path: 'tags' } },
    'frame:/app/cart.js:18:23': attribute('frame', '/app/cart.js:18:23'),
    'time_local:10/Oct/2000:13:55:36': attribute('time_local', '10/Oct/2000:13:55:36'),
    'node:"events:518:28"': attribute('node', 'events:518:28'),
    'message:/cart.js:18:23': { kind: 'field', field: 'message', comparison: '=', value: '/cart.js:18:23' },
    'cart.items:[1 TO 5]': { kind: 'between', field: { path: 'cart.items' }, from: 1, to: 5 },
    'cart.items:<-1.5e3': { kind: 'attribute', path: 'cart.items', comparison: '<', value: -1500 },
    '__proto__:x': attribute('__proto__', 'x'),
    'constructor:x': attribute('constructor', 'x'),
  })
})

t.test('parses pasted URLs, paths, times and messages as text', async t => {
  const one = [
    '550e8400-e29b-41d4-a716-446655440000',
    '4163817072@E352',
    'https://shop.example/cart?id=1&x=a:b',
    '2025-01-01T10:00:00.000+02:00',
    '10:32:11',
    'cart.ts:18:23',
    '/app/(shop)/page.tsx:1:2',
    'std::io::Error',
    'C:\\temp\\x.log',
    'C:/app/cart.js:18:23',
    'node:internal/process/task_queues:95:5',
    'node:events:518:28',
    'TypeError:',
    'Error:',
    '::1',
    "can't",
    '->',
    '--watch',
    '5"',
    'a=b',
    '{"a":1}',
    'toString',
    '/api/users/',
  ]
  for (const typed of one) t.same(parseQuery(typed), { query: text(typed) })
  reads(t, {
    "Cannot read (reading 'total')": and(
      and(text('Cannot'), text('read')),
      and(text('reading'), text("'total'")),
    ),
    'emit (node:events:518:28)': and(text('emit'), text('node:events:518:28')),
    'at sum (file:///app/cart.js:1:2)': and(and(text('at'), text('sum')), text('file:///app/cart.js:1:2')),
    'timeout*': text('timeout'),
    '"card declined"*': and(text('card declined'), { kind: 'all' }),
    'plan:"pro" *': and({ kind: 'attribute', path: 'plan', comparison: '=', value: 'pro' }, { kind: 'all' }),
    'release:"[1.4 TO 1.6]"': { kind: 'field', field: 'release', comparison: '=', value: '[1.4 TO 1.6]' },
    'tags:["a"]': { kind: 'attribute', path: 'tags', comparison: '=', value: '["a"]' },
    '*': { kind: 'all' },
    'time*out': { kind: 'field', field: 'message', comparison: '=', value: '*time*out*' },
    '"a \\"b\\" \\\\ \\n * OR (c"': text('a "b" \\ \\n * OR (c'),
  })
})

t.test('reports the position of a problem and how to fix it', async t => {
  const cases: Record<string, [string, RegExp]> = {
    'a "card declined': ['"card', /not closed/],
    'msg:"card': ['"card', /not closed/],
    'a) b': [')', /no opening parenthesis.*double quotes/],
    '((a) b': ['(', /not closed.*double quotes/],
    'a () b': ['()', /empty.*double quotes/],
    'a OR': ['OR', /OR needs a term after it.*double quotes/],
    'AND b': ['AND', /AND needs a term before it.*double quotes/],
    '(a OR) b': ['OR', /OR needs a term after it/],
    'a OR AND b': ['AND', /AND needs a term before it/],
    'a NOT': ['NOT', /NOT needs a term after it/],
    'status: 500': ['status:', /“status:” needs a value.*double quotes/],
    '"id": 5': ['"id":', /“"id":” needs a value/],
    'status:abc': ['abc', /number/],
    'duration:>5parsecs': ['5parsecs', /number/],
    'age:>old': ['old', /number/],
    'service:>a': ['>a', /compared with >.*double quotes/],
    'status:>=[400 TO 499]': ['>=[400 TO 499]', /range can’t be compared with >=.*status:\[400 TO 499\]/],
    'level:<[info TO warn]': ['<[info TO warn]', /range can’t be compared with </],
    'age:>[1 TO 2]': ['>[1 TO 2]', /range can’t be compared with >/],
    'release:[1.4 TO 1.6]': ['[1.4 TO 1.6]', /release has no ranges.*release:1\.4\*.*double quotes/],
    'n:[1 to 5]': ['[1 to 5]', /both ends.*square brackets.*n:\[1 TO 5\]/],
    'n:{1 TO 5}': ['{1 TO 5}', /n:\[1 TO 5\]/],
    'a status:{ 400 TO 499 ]': ['{ 400 TO 499 ]', /status:\[400 TO 499\]/],
    'level:[info to error]': ['[info to error]', /level:\[info TO error\]/],
    'message:"card declined"*': ['*', /literal.*without the quotes.*message:card\*/],
    'a OR plan:"pro"*x': ['*x', /plan:/],
    'plan:*"pro max"': ['*"pro', /literal.*plan:/],
    'level:[info TO loud]': ['[info TO loud]', /“loud” is not a severity/],
    'level:loud': ['loud', /trace, debug/],
    'failure:new': ['new', /open, resolved, muted.*ID/],
    'failure:>open': ['>open', /compared with >/],
    'service:(a OR b)': ['(a', /service:a OR service:b/],
    '/time.?out|refused/i': ['/time.?out|refused/i', /Regular expressions.*double quotes/],
  }
  for (const [typed, [place, message]] of Object.entries(cases)) {
    const result = parseQuery(typed)
    if (!('problem' in result)) {
      t.fail(`${typed} was parsed`)
      continue
    }
    t.equal(typed.slice(result.problem.from, result.problem.to), place, typed)
    t.match(result.problem.message, message)
  }
})

t.test('limits length, number of terms, attributes and nesting', async t => {
  const problemOf = (typed: string) => {
    const result = parseQuery(typed)
    return 'problem' in result ? result.problem.message : null
  }
  t.equal(problemOf('x'.repeat(2000)), null)
  t.match(problemOf('x'.repeat(2001)), /at most 2000 characters/)
  t.equal(problemOf('x '.repeat(50)), null)
  t.match(problemOf('x '.repeat(51)), /at most 50 terms/)
  const attributes = (count: number) =>
    Array.from({ length: count }, (_, index) => `a${index}:x -a${index}:[1 TO 2] a${index}:*`).join(' ')
  t.equal(problemOf(`${attributes(10)} status:500 service:api x`), null)
  t.match(problemOf(`${attributes(10)} other:*`), /at most 10 different attributes.*without a name/)
  t.match(parseQuery(`${attributes(10)} (b.c:[1 TO 2] x)`), {
    problem: { from: attributes(10).length + 2, to: attributes(10).length + 14 },
  })
  t.equal(problemOf(`${'('.repeat(20)}x${')'.repeat(20)}`), null)
  t.match(problemOf(`${'('.repeat(21)}x${')'.repeat(21)}`), /at most 20 levels deep/)
})

t.test('parses every example in the search help', async t => {
  for (const { field, example, aliases } of fieldHelp) {
    t.match(JSON.stringify(parseQuery(example)), `"field":"${field}"`, example)
    const value = example.slice(field.length)
    for (const alias of aliases) t.same(parseQuery(alias + value), parseQuery(example))
  }
  for (const { q } of searchExamples) t.match(parseQuery(q), { query: {} }, q)
})

const fragments = fc.constantFrom(
  ...['(', ')', '"', '\\', '-', ':', '*', '[', ' TO ', ']', '/', '.', ' ', '\n', ' OR ', ' AND ', ' NOT '],
  ...['status', 'level', 'a', '5', '>=', 'é', '\ud800', '\u0000', "'", '__proto__'],
)

t.test('property: parsing never throws', async t => {
  const anything = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 2100 }),
    fc.array(fragments, { maxLength: 60 }).map(parts => parts.join('')),
  )
  fc.assert(
    fc.property(anything, typed => {
      const result = parseQuery(typed)
      if (!('problem' in result)) return
      const { from, to, message } = result.problem
      return from >= 0 && from < to && to <= typed.length && message.length > 0
    }),
    { numRuns: 2000 },
  )
  t.pass('2,000 searches')
})

t.test('property: AND, OR, NOT and parentheses follow Boolean logic', async t => {
  type Tree = string | { not: Tree } | { and: [Tree, Tree] } | { or: [Tree, Tree] }
  const { tree } = fc.letrec<{ tree: Tree }>(tie => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('a', 'b', 'c'),
      fc.record({ not: tie('tree') }),
      fc.record({ and: fc.tuple(tie('tree'), tie('tree')) }),
      fc.record({ or: fc.tuple(tie('tree'), tie('tree')) }),
    ),
  }))
  // Writes only the parentheses that precedence requires.
  const write = (node: Tree, minPrecedence: number): string => {
    if (typeof node === 'string') return node
    if ('not' in node) return `NOT ${write(node.not, 3)}`
    const [sign, precedence, sides] = 'and' in node ? [' ', 2, node.and] : [' OR ', 1, node.or]
    const typed = sides.map(side => write(side, precedence)).join(sign)
    return precedence < minPrecedence ? `(${typed})` : typed
  }
  const isTrue = (node: Tree, facts: string): boolean => {
    if (typeof node === 'string') return facts.includes(node)
    if ('not' in node) return !isTrue(node.not, facts)
    return 'and' in node
      ? node.and.every(side => isTrue(side, facts))
      : node.or.some(side => isTrue(side, facts))
  }
  const matches = (query: Query, facts: string): boolean => {
    if (query.kind === 'and') return matches(query.left, facts) && matches(query.right, facts)
    if (query.kind === 'or') return matches(query.left, facts) || matches(query.right, facts)
    if (query.kind === 'not') return !matches(query.query, facts)
    return query.kind === 'text' && facts.includes(query.text)
  }
  fc.assert(
    fc.property(tree, fc.subarray(['a', 'b', 'c']), (node, facts) => {
      const result = parseQuery(write(node, 0))
      return 'query' in result && matches(result.query, facts.join('')) === isTrue(node, facts.join(''))
    }),
    { numRuns: 1000 },
  )
  t.pass('1,000 trees')
})
