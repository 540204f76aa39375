import { inspect } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { exceptionInText } from './exception-in-text.ts'
import { stackFrames } from './stack.ts'

class PaymentError extends Error {}

t.test('finds errors printed by util.inspect', async t => {
  const cause = new TypeError('no price')
  const error = Object.assign(new PaymentError('declined\nby the bank', { cause }), { digest: '2338471' })
  for (const [text, summary] of [
    [inspect(error), 'PaymentError: declined\nby the bank'],
    [` ⨯ ${inspect(error)}`, 'PaymentError: declined\nby the bank'],
    [`Failed to load cart: ${inspect(error)}`, 'Failed to load cart: PaymentError: declined\nby the bank'],
    [
      `/app/a.js:3\n  throw boom\n  ^\n\n${inspect(error)}\n\nNode.js v22.1.0`,
      'PaymentError: declined\nby the bank',
    ],
  ] as const) {
    t.same(exceptionInText(text), {
      exception: { type: 'PaymentError', message: 'declined\nby the bank', stack: text.trim() },
      summary,
    })
    t.match(stackFrames(text)[0], { file: /exception-in-text\.test\.ts$/ })
  }
})

t.test(
  'reads all frames of an inspected error, including its cause and the errors in an AggregateError',
  async t => {
    const frame = (name: string) => `    at ${name} (/app/${name}.js:1:2)`
    const withStack = (error: Error, name: string) =>
      Object.assign(error, { stack: `${error.name}: ${error.message}\n${frame(name)}` })
    const names = (value: unknown) => stackFrames(inspect(value)).map(({ functionName }) => functionName)
    const cause = withStack(new TypeError('b'), 'inner')
    t.same(names(Object.assign(withStack(new Error('a', { cause }), 'outer'), { digest: '1' })), [
      'outer',
      'inner',
    ])
    const all = new AggregateError(
      [withStack(new Error('x'), 'one'), withStack(new Error('y'), 'two')],
      'all',
    )
    t.same(names(withStack(all, 'both')), ['both', 'one', 'two'])
  },
)

t.test('recognises the prefixes that frameworks and runtimes print', async t => {
  const heads: [string, string, string][] = [
    [' ⨯ Error: boom', 'Error', 'boom'],
    ['⨯ unhandledRejection:  TypeError: boom', 'TypeError', 'boom'],
    ['Uncaught Exception: Error: boom', 'Error', 'boom'],
    ['Unhandled Rejection: RangeError: boom', 'RangeError', 'boom'],
    ['Uncaught (in promise) DOMException: boom', 'DOMException', 'boom'],
    ['<ref *1> Error: boom', 'Error', 'boom'],
    ['TypeError [ERR_INVALID_URL]: boom', 'TypeError', 'boom'],
    ['PaymentDeclined: boom', 'PaymentDeclined', 'boom'],
    ['Checkout: HttpError: boom', 'HttpError', 'boom'],
    ['Declined: boom', 'Declined', 'boom'],
    ['ZodError', 'ZodError', ''],
    ['Error [PaymentError]: boom', 'PaymentError', 'boom'],
    ['⨯ n [PaymentError]: boom', 'PaymentError', 'boom'],
    ['⨯ [PaymentError]: boom', 'PaymentError', 'boom'],
    ['n [PaymentError]', 'PaymentError', ''],
    ['l [Error]: boom', 'Error', 'boom'],
    ['Failed to pay: CardDeclined: boom', 'CardDeclined', 'boom'],
    ['Failed to pay: n [PaymentError]', 'PaymentError', ''],
    ['Failed to pay: n [PaymentError]: boom', 'PaymentError', 'boom'],
    ['PaymentError [ERR_CARD]: boom', 'PaymentError', 'boom'],
    ['/app/a.js:1\nthrow new Error("TypeError: " + a)\n^\n\nn [PaymentError]: boom', 'PaymentError', 'boom'],
    ['SyntaxError: boom\n  a ? b\n    ^', 'SyntaxError', 'boom\n  a ? b\n    ^'],
    ['CompileError: no end\n1: {#if a\n        ^', 'CompileError', 'no end\n1: {#if a\n        ^'],
    ['SyntaxError: x\n  a b\n    ^\nHint: y', 'SyntaxError', 'x\n  a b\n    ^\nHint: y'],
  ]
  for (const [head, type, message] of heads) {
    const text = `${head}\n    at f (/app/a.js:1:2)`
    t.match(exceptionInText(text), { exception: { type, message, stack: text.trim() } }, head)
  }
})

t.test('ignores the source line that Deno prints below an uncaught error', async t => {
  const source = '    throw new TypeError("TypeError: " + a);\n          ^'
  for (const message of ['boom', 'no answer from 127.0.0.1:5432', 'no end\n1: {#if a\n        ^']) {
    const head = `error: Uncaught (in promise) PaymentError: ${message}`
    const stack = `${head}\n${source}\n    at total (file:///app/main.ts:3:9)`
    t.same(exceptionInText(stack), { exception: { type: 'PaymentError', message, stack }, summary: head })
  }
})

t.test('finds thrown values without a stack in the output that Node prints before it exits', async t => {
  const hint = '(Use `node --trace-uncaught ...` to show where the exception was thrown)'
  for (const [printed, type, message] of [
    [`no order\n${hint}`, 'Error', 'no order'],
    [`null\n${hint}`, 'Error', 'null'],
    ["{\n  code: 402,\n  why: 'declined'\n}", 'Error', "{\n  code: 402,\n  why: 'declined'\n}"],
    ["[DeclinedError: boom] {\n  digest: '2338471'\n}", 'DeclinedError', 'boom'],
  ] as const) {
    const text = `/app/cart.js:3\nthrow error\n^\n${printed}\n\nNode.js v20.20.2`
    t.match(exceptionInText(text), { exception: { type, message, stack: text } }, printed)
  }
  for (const text of [
    'ready\nNode.js v20.20.2',
    '/app/cart.js:3\nthrow error\n^\nno order',
    '/app/cart.js:3\nthrow error\n^\n\nNode.js v20.20.2',
  ])
    t.equal(exceptionInText(text), null, text)
})

t.test('keeps the log message above an error in the summary', async t => {
  const frame = '    at f (/app/a.js:1:2)'
  for (const [text, summary] of [
    [`12:00:01 error: no order\nError: boom\n${frame}`, '12:00:01 error: no order\nError: boom'],
    [`[\n  Error: boom\n  ${frame}\n]`, 'Error: boom'],
    [`no order\n\nmore\nTypeError: two\nlines\n${frame}`, 'no order\n\nmore\nTypeError: two\nlines'],
    [
      `ERROR (shop/1): no order\n    err: {\n      "type": "Error",\n      "stack":\n          Error: boom\n  ${frame}`,
      'ERROR (shop/1): no order\nError: boom',
    ],
    [
      'fail: Shop.Cart[13]\n      no order\n      System.Exception: boom\n         at Shop.Cart.Pay()',
      'fail: Shop.Cart[13]\n      no order\nSystem.Exception: boom',
    ],
  ] as const) {
    const found = exceptionInText(text)
    t.equal(found?.summary, summary)
    t.equal(found?.exception.stack, text)
  }
})

t.test("finds errors printed by consola and Bun, which omit the error's name", async t => {
  for (const [head, message] of [
    ['[error] boom', 'boom'],
    ['[fatal] [db] boom', 'boom'],
    [' ERROR  Failed boom\n', 'Failed boom'],
    ['[db]  ERROR  two\nlines\n', 'two\nlines'],
    ['error: boom', 'boom'],
  ] as const) {
    const text = `${head}\n  at src/cart.mjs:2:25\n  at async pay (src/pay.mjs:3:1)`
    t.match(exceptionInText(text), {
      exception: { type: 'Error', message, stack: text.trim() },
      summary: head.trim(),
    })
  }
  for (const head of ['[warn] boom', ' WARN  boom', '[info] at work', 'no ERROR  here'])
    t.equal(exceptionInText(`${head}\n  at src/cart.mjs:2:25`), null, head)
})

t.test('recognises printed errors without a stack', async t => {
  const lines: [string, string, string][] = [
    ["[Error: boom] { digest: '2338471' }", 'Error', 'boom'],
    ["⨯ [Error: An error [x] occurred] {\n  digest: '2338471'\n}", 'Error', 'An error [x] occurred'],
    ["[PaymentDeclined: no] { code: 'x' }", 'PaymentDeclined', 'no'],
    ['Uncaught TypeError: a is undefined', 'TypeError', 'a is undefined'],
    ['⨯ Error: boom', 'Error', 'boom'],
  ]
  for (const [text, type, message] of lines)
    t.match(
      exceptionInText(text)?.exception,
      { type, message, stack: text.includes('[') ? text : null },
      text,
    )
})

t.test('finds no exception in ordinary messages', async t => {
  for (const text of [
    '',
    'two\nlines',
    'meeting\n  at 10:30',
    'meet\n    at noon (local time:10)',
    'Error: boom',
    'Checkout: done\nTotal: 5',
    'see\nhttps://shop.example:80\nhttps://shop.example/a.js:1:2',
    'Trace: here\n    at f (/app/a.js:1:2)',
    '(node:1) DeprecationWarning: old\n    at f (/app/a.js:1:2)',
    '[INFO] ready',
    '[HttpServer: listening]',
    '[Object: null prototype] { a: 1 }',
    'File "a.py", line 3',
    '⨯ Failed to compile',
    'a: 1\nb:\n  - at: 5',
  ])
    t.equal(exceptionInText(text), null, text)
})

t.test('property: never throws; long text takes linear time', async t => {
  const piece = fc.constantFrom(
    ...[
      '\n',
      '    at f (a:1:2)',
      'Error: ',
      '⨯ ',
      '[',
      '] {',
      '}',
      'Uncaught ',
      'Traceback (most recent call last):',
    ],
    ...[
      '  File "a", line 1',
      'panic: ',
      'goroutine 1 [',
      '\t/a.go:1',
      'A.b',
      '\tat a.B.c(D.java:1)',
      '|',
      'x',
    ],
  )
  const junk = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(piece, { maxLength: 40 }).map(all => all.join('')),
  )
  fc.assert(
    fc.property(junk, text => {
      const found = exceptionInText(text)
      return found === null || (found.exception.type !== '' && found.summary !== '')
    }),
    { numRuns: 700 },
  )
  const trace = '\n    at f (a:1:2)'
  for (const seed of [
    'Error',
    'a.',
    '[Error: ',
    '] {',
    ' ',
    'Uncaught ',
    '⨯ ',
    '\n',
    'Aa',
    'Error: ',
    '\n| ',
    'panic: ',
    '$',
  ]) {
    const megabyte = seed.repeat(1e6 / seed.length)
    for (const text of [
      megabyte,
      megabyte + trace,
      `\n${megabyte}`,
      `Traceback (most recent call last):\n  File "a", line 1\n${megabyte}`,
    ])
      t.not(exceptionInText(text)?.summary, '', seed)
  }
  for (const seed of ['\nInformation for: ', '\n    1: ', 'A (', '[a] ', '\n[a] ']) {
    const megabyte = seed.repeat(1e6 / seed.length)
    for (const tags of ['', '[a] '])
      t.not(exceptionInText(`${megabyte}\n${tags}a.rb:1:in 'f'`)?.summary, '', seed)
  }
})
