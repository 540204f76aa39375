import fc from 'fast-check'
import t from 'tap'
import { exceptionOf, reportedException } from './describe-exception.ts'

t.test('describes an error by type, message and frames', async t => {
  class PaymentError extends Error {}
  t.match(exceptionOf(new TypeError('boom')), {
    type: 'TypeError',
    message: 'boom',
    stack: /^TypeError: boom\n {4}at /,
  })
  t.match(exceptionOf(new PaymentError('declined')), { type: 'PaymentError', message: 'declined' })
  t.match(exceptionOf(new DOMException('gone', 'AbortError')), { type: 'AbortError', message: 'gone' })
})

t.test('describes values that are not errors', async t => {
  const cases: [unknown, string, string][] = [
    ['just text', 'string', 'just text'],
    [null, 'null', 'null'],
    [undefined, 'undefined', 'undefined'],
    [404, 'number', '404'],
    [Symbol('s'), 'symbol', 'Symbol(s)'],
    [{ code: 1, password: 'hunter2' }, 'Object', 'An object with the properties code, password'],
    [{ message: 'like an error' }, 'Object', 'like an error'],
    [Object.create(null), 'Object', ''],
    [[1], 'Array', 'An object with the property 0'],
  ]
  for (const [thrown, type, message] of cases) t.same(exceptionOf(thrown), { type, message, stack: null })
})

t.test('ignores getters and proxies that throw', async t => {
  const trap = () => {
    throw new Error('a trap')
  }
  const getters = {}
  for (const name of ['name', 'message', 'stack', 'cause', 'errors', 'constructor']) {
    Object.defineProperty(getters, name, { get: trap, enumerable: true })
  }
  const proxy = new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap })
  const revoked = Proxy.revocable([], {})
  revoked.revoke()
  for (const thrown of [getters, proxy, revoked.proxy, new Proxy(new Error('x'), { get: trap })]) {
    t.match(exceptionOf(thrown), { type: String, message: String, stack: null })
  }
  t.match(exceptionOf(Object.assign(new Error('listed'), { errors: revoked.proxy })), { message: 'listed' })
})

t.test('includes each cause, and each error in an AggregateError, once', async t => {
  const root = new RangeError('too far')
  const { message, stack } = exceptionOf(
    new Error('outer', { cause: new TypeError('middle', { cause: root }) }),
  )
  t.equal(message, 'outer: middle: too far')
  t.match(
    stack,
    /^Error: outer\n(?: {4}at .*\n)+caused by: TypeError: middle\n(?: {4}at .*\n)+caused by: RangeError: too far\n/,
  )

  t.match(exceptionOf(new AggregateError([new Error('one'), new Error('two')])), {
    type: 'AggregateError',
    message: 'one: two',
  })

  root.cause = root
  t.equal(exceptionOf(root).message, 'too far')
  let chain = new Error('0')
  for (let depth = 1; depth < 1000; depth += 1) chain = new Error(String(depth), { cause: chain })
  t.equal(exceptionOf(chain).message, '999: 998: 997: 996: 995')
})

t.test('truncates a huge message but keeps the frames', async t => {
  const { message, stack } = exceptionOf(new Error('x'.repeat(1e6)))
  t.equal(message.length, 4000)
  t.match(stack, /\n {4}at .*describe-exception\.test\.ts/)
  t.ok((stack?.length ?? 0) <= 16_000)
  const reported = reportedException({
    type: 'E'.repeat(1000),
    message: 'm'.repeat(5000),
    stack: 'f@https://h/x.js:1:2',
  })
  t.same([reported.type.length, reported.message.length], [200, 4000])
  t.match(reported.stack, /\n {4}at f \(https:\/\/h\/x\.js:1:2\)$/)
})

t.test('never throws, whatever was thrown', async t => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }), thrown => {
      const { type, message } = exceptionOf(thrown)
      return type !== '' && message.length <= 4000
    }),
  )
  t.pass()
})
