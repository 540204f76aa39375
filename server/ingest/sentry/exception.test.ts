import t from 'tap'
import type { Attributes } from '../../../shared/event.ts'
import { readThrown } from './exception.ts'

const stacktrace = (name: string) => ({
  frames: [{ filename: `/app/${name}.js`, function: name, lineno: 1, colno: 2 }],
})
const error = (name: string, mechanism: Attributes = {}, type = 'Error') => ({
  type,
  value: name,
  stacktrace: stacktrace(name),
  mechanism: { type: 'generic', handled: true, ...mechanism },
})
const read = (values: Attributes[]) => readThrown({ exception: { values } }, 'node')
const namesIn = (values: Attributes[]) =>
  [...(read(values)?.exception.stack ?? '').matchAll(/at (\w+)/g)].map(([, name]) => name)

t.test('returns the thrown exception with its causes', async t => {
  const cause = error('cause', { source: 'cause', exception_id: 1, parent_id: 0 })
  const thrown = error('thrown', { exception_id: 0, handled: false, type: 'auto.http.express' }, 'TypeError')
  t.match(read([cause, thrown]), {
    exception: {
      type: 'TypeError',
      message: 'thrown',
      stack: /^TypeError: thrown\n.*\ncaused by: Error: cause\n/,
    },
    mechanism: 'auto.http.express',
    handled: false,
  })
  t.same(namesIn([cause, thrown]), ['thrown', 'cause'])
})

t.test('an exception is unhandled if the SDK marks its cause as unhandled', async t => {
  const mechanism = { type: 'auto.middleware.express', handled: false, source: 'cause', exception_id: 1 }
  const thrown = error('thrown', { exception_id: 0 })
  t.match(read([error('cause', mechanism), thrown]), { mechanism: 'auto.middleware.express', handled: false })
  t.match(read([error('cause', { source: 'cause', exception_id: 1 }), thrown]), {
    mechanism: 'generic',
    handled: true,
  })
})

t.test('exceptions without ids, from older SDKs, are read as a chain of causes', async t => {
  t.same(namesIn([error('third'), error('second'), error('first')]), ['first', 'second', 'third'])
})

t.test('if an AggregateError has a cause, its errors are not treated as causes', async t => {
  const values = [
    error('innerCause', { source: 'cause', exception_id: 4, parent_id: 3 }),
    error('inner2', { source: 'errors[1]', exception_id: 3, parent_id: 0 }),
    error('inner1', { source: 'errors[0]', exception_id: 2, parent_id: 0 }),
    error('cause', { source: 'cause', exception_id: 1, parent_id: 0 }),
    error('aggregate', { exception_id: 0, is_exception_group: true }, 'AggregateError'),
  ]
  t.same(namesIn(values), ['aggregate', 'cause'])
})

t.test('if an AggregateError has no cause, its first error is treated as the cause', async t => {
  const values = [
    error('inner2', { source: 'errors[1]', exception_id: 4, parent_id: 0 }),
    error('innerMost', { source: 'errors[0]', exception_id: 3, parent_id: 2 }),
    error('innerCause', { source: 'cause', exception_id: 2, parent_id: 1 }),
    error('inner1', { source: 'errors[0]', exception_id: 1, parent_id: 0 }),
    error('aggregate', { exception_id: 0, is_exception_group: true }, 'AggregateError'),
  ]
  t.same(namesIn(values), ['aggregate', 'inner1', 'innerCause', 'innerMost'])
  t.equal(read(values)?.exception.message, 'aggregate', 'as pino writes it')
})

t.test('accepts any name for a cause', async t => {
  for (const source of ['__cause__', '__context__', 'InnerException', 'unwrap', 'failedBecause', null]) {
    const values = [
      error('cause', { source, exception_id: 1, parent_id: 0 }),
      error('thrown', { exception_id: 0 }),
    ]
    t.same(namesIn(values), ['thrown', 'cause'], String(source))
  }
})

t.test('reads an exception that is not in a list', async t => {
  t.match(readThrown({ exception: [error('thrown')] }, 'node'), { exception: { message: 'thrown' } })
  t.match(readThrown({ exception: error('thrown') }, 'node'), { exception: { message: 'thrown' } })
})

t.test('the stack of an exception may be missing, or only in raw_stacktrace', async t => {
  t.same(read([{ type: 'TypeError', value: 'broken' }]), {
    exception: { type: 'TypeError', message: 'broken', stack: null },
    mechanism: null,
    handled: null,
    sourceLines: [],
    componentStack: null,
  })
  t.match(read([{ type: 'TypeError', value: 'm', stacktrace: null, raw_stacktrace: stacktrace('raw') }]), {
    exception: { stack: /at raw/ },
  })
})

t.test('an event is a message if its exception has no type and is synthetic or empty', async t => {
  t.equal(read([{ value: 'hello', stacktrace: stacktrace('main'), mechanism: { synthetic: true } }]), null)
  t.equal(read([{ stacktrace: stacktrace('main') }]), null)
  t.match(read([{ value: 'thrown' }]), { exception: { type: 'Error', message: 'thrown' } })
  for (const exception of [undefined, null, 7, 'x', [], {}, { values: [] }, { values: 7 }, [null], [7]]) {
    t.equal(readThrown(exception === undefined ? {} : { exception }, 'node'), null, JSON.stringify(exception))
  }
})

t.test('accepts exception values of any type', async t => {
  const values: [unknown, string][] = [
    [null, ''],
    [undefined, ''],
    [7, '7'],
    [{ code: 1 }, '{"code":1}'],
    [['a'], '["a"]'],
  ]
  for (const [value, message] of values) {
    const given = JSON.parse(JSON.stringify({ type: 'TypeError', value }))
    t.equal(read([given])?.exception.message, message)
  }
})

t.test('truncates a long chain to the thrown exception and the causes nearest to it', async t => {
  const values = Array.from({ length: 50 }, (_, index) => error(`e${index}`)).toReversed()
  t.same(
    namesIn(values),
    Array.from({ length: 20 }, (_, index) => `e${index}`),
  )
})

t.test('stores the source lines that the SDK sent for application frames', async t => {
  const withSource = (filename: string, line: string) => ({
    filename,
    lineno: 7,
    pre_context: ['before\n'],
    context_line: line,
    post_context: ['after\r\n'],
  })
  const frames = [
    withSource('/app/node_modules/a.js', 'library'),
    withSource('/app/cart.js', 'x'.repeat(1000)),
  ]
  t.match(read([{ type: 'Error', value: 'm', stacktrace: { frames } }]), {
    sourceLines: [
      { file: '/app/cart.js', line: 7, firstLine: 6, lines: ['before', 'x'.repeat(300), 'after'] },
    ],
  })
})

t.test("React's component stack is not part of the exception", async t => {
  const components = error(
    'Cart',
    { source: 'cause', exception_id: 1, parent_id: 0 },
    'React ErrorBoundary TypeError',
  )
  const thrown = error('card declined', { exception_id: 0 }, 'TypeError')
  const withComponents = read([components, thrown])
  t.same(withComponents?.exception, read([thrown])?.exception)
  t.equal(withComponents?.componentStack, '    at Cart (/app/Cart.js:1:2)')
  t.equal(read([thrown])?.componentStack, null)
})

t.test("reads a thrown exception even if its type looks like React's component stack", async t => {
  t.match(read([error('Cart', {}, 'React ErrorBoundary TypeError')]), {
    exception: { type: 'React ErrorBoundary TypeError' },
    componentStack: null,
  })
})
