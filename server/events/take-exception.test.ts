import t from 'tap'
import type { Attributes } from '../../shared/event.ts'
import { Fields } from './take.ts'
import { takeException } from './take-exception.ts'

function take(record: Attributes) {
  const fields = new Fields(structuredClone(record))
  const exception = takeException(fields)
  return { exception, rest: fields.rest(new Set(['err', 'error', 'exception'])) }
}

const java = 'java.lang.IllegalStateException: no cart\n\tat com.shop.Cart.total(Cart.java:12)'
const python =
  'Traceback (most recent call last):\n  File "a.py", line 3, in total\n    x\nshop.OrderError: no cart'
const go = 'main.total\n\t/app/cart.go:12\nmain.main\n\t/app/main.go:5'

t.test('reads stack traces of several runtimes from the fields that loggers use', async t => {
  const message = 'no cart'
  const forms: [Attributes, object][] = [
    [{ stack_trace: java }, { type: 'java.lang.IllegalStateException', message, stack: java }],
    [{ 'exception.stacktrace': java }, { type: 'java.lang.IllegalStateException', message, stack: java }],
    [{ error: { stack_trace: java, type: 'NoCart', message } }, { type: 'NoCart', message, stack: java }],
    [{ exc_info: python }, { type: 'shop.OrderError', message, stack: python }],
    [{ exception: python }, { type: 'shop.OrderError', message, stack: python }],
    [
      { error: message, stacktrace: go },
      { type: 'Error', message, stack: go },
    ],
    [
      { err: { type: 'A', message }, stack: java },
      { type: 'A', message, stack: java },
    ],
    [{ stackTrace: java.split('\n') }, { type: 'java.lang.IllegalStateException', message, stack: java }],
    [{ err: { stack: java.split('\n') } }, { type: 'java.lang.IllegalStateException', message, stack: java }],
    [
      { exception: { name: 'NoCart', message, stack_trace: ["cart.rb:2:in 'Cart#total'", "a.rb:1:in 'a'"] } },
      { type: 'NoCart', message, stack: "cart.rb:2:in 'Cart#total'\na.rb:1:in 'a'" },
    ],
    [{ error: 'TypeError: no cart' }, { type: 'TypeError', message, stack: null }],
    [{ err: 'f@https://h/a.js:1:2' }, { type: 'Error', message: '', stack: 'f@https://h/a.js:1:2' }],
  ]
  for (const [record, exception] of forms)
    t.same(take(record), { exception, rest: {} }, JSON.stringify(record))
  const long = take({ err: { stack: Array.from({ length: 1000 }, () => 'x'.repeat(1000)) } }).exception
  t.equal(long?.stack?.length, 65_536)
})

t.test("adds the stacks of an error's causes, as pino writes them", async t => {
  const at = (name: string) => `${name}: no cart\n    at ${name.toLowerCase()} (/app/cart.js:1:2)`
  const innermost = { type: 'C', message: 'no cart', stack: at('C').split('\n') }
  const err = { type: 'A', message: 'no cart', stack: at('A'), cause: { stack: at('B'), cause: innermost } }
  const stack = `${at('A')}\ncaused by: ${at('B')}\ncaused by: ${at('C')}`
  t.same(take({ err }), {
    exception: { type: 'A', message: 'no cart', stack },
    rest: { err: { cause: { stack: at('B'), cause: innermost } } },
  })
  for (const cause of ['B', 5, null, [innermost], {}, { stack: 5 }, { stack: [5] }, { stack: '' }])
    t.equal(take({ err: { ...err, cause } }).exception?.stack, at('A'), JSON.stringify(cause))
  t.equal(take({ err: { stack, cause: { stack: at('B') } } }).exception?.stack, stack, 'already contained')
  const deep = Array.from({ length: 100 }).reduce<Attributes>(cause => ({ stack: at('B'), cause }), {})
  t.equal(take({ err: { stack: at('A'), cause: deep } }).exception?.stack?.split('caused by').length, 11)
  const long = { stack: at('B') + '\n'.repeat(60_000), cause: { stack: at('C') + '\n'.repeat(60_000) } }
  t.equal(take({ err: { stack: at('A'), cause: long } }).exception?.stack?.length, 65_536)
})

t.test('adds the stack of the first error of an AggregateError, as pino writes it', async t => {
  const at = (name: string) => `${name}: m\n    at f (/app/x.js:1:1)`
  const inner = { type: 'B', message: 'm', stack: at('B'), aggregateErrors: [{ stack: at('C') }] }
  const err = { type: 'A', message: '', stack: at('A'), aggregateErrors: [inner, { stack: at('D') }] }
  const stack = `${at('A')}\ncaused by: ${at('B')}\ncaused by: ${at('C')}`
  t.equal(take({ err }).exception?.stack, stack)
  t.equal(
    take({ err: { ...err, cause: { stack: at('E') } } }).exception?.stack,
    `${at('A')}\ncaused by: ${at('E')}`,
  )
  for (const aggregateErrors of [[], null, 'x', [5], [null]])
    t.equal(take({ err: { ...err, aggregateErrors } }).exception?.stack, at('A'))
})

t.test('reads a list that contains an error without a message, and its cause', async t => {
  const frames = [{ filename: '/app/a.py', lineno: 2, name: 'total' }]
  const exception = [
    { exc_type: 'NotImplementedError', exc_value: '', frames },
    { exc_type: 'KeyError', exc_value: "'price'", frames: [] },
  ]
  t.match(take({ exception }), {
    exception: {
      type: 'NotImplementedError',
      message: '',
      stack: /KeyError: 'price'[\s\S]*File "\/app\/a.py", line 2, in total\nNotImplementedError$/,
    },
    rest: { exception },
  })
})

t.test('does not remove fields that are not exceptions', async t => {
  for (const record of [
    { stack: 'full' },
    { stack: ['a'], exc_info: true },
    { err: { stack: [] } },
    { err: { stack: ['    at a (/a.js:1:2)', 5] } },
    { stack: [{ func: 'main.total', source: 'cart.go', line: '12' }, { cart: 5 }] },
    { stack: [] },
    { error: { file: '/app/cart.php:5' } },
    { error: { trace: '0af7651916cd43dd' } },
    { error: [{ field: 'total' }] },
    { exception: [] },
    { stacktrace: 'none' },
    { 'error.type': '500' },
    { error: { code: 5 } },
    { exception: 5 },
    { err: '[no room]' },
  ])
    t.same(take(record), { exception: null, rest: record }, JSON.stringify(record))
})

t.test('uses the name in the stack instead of a minified class name', async t => {
  const at = '\n    at f (/app/dist/app.js:1:2)'
  const typeOf = (type: string, head: string) =>
    take({ err: { type, message: 'declined', stack: head + at } }).exception?.type
  t.equal(typeOf('n', 'PaymentError: declined'), 'PaymentError')
  t.equal(typeOf('ab', 'n [PaymentError]: declined'), 'PaymentError')
  t.equal(typeOf('n', 'TypeError: declined'), 'TypeError')
  t.equal(typeOf('n', 'CardDeclined: declined'), 'CardDeclined')
  t.equal(typeOf('DB', 'DB: declined'), 'DB')
  t.equal(typeOf('DB', 'Error: declined'), 'DB')
  t.equal(typeOf('HttpError', 'PaymentError: declined'), 'HttpError')
  t.equal(
    take({ 'exception.type': 'n', 'exception.message': 'x', 'exception.stacktrace': `PaymentError: x${at}` })
      .exception?.type,
    'PaymentError',
  )
  t.equal(take({ err: { type: 'DB', message: 'declined' } }).exception?.type, 'DB')
})
