import fc from 'fast-check'
import t from 'tap'
import { framesWithCauses } from './stack.ts'

/** Returns the function of each frame, with each cause before its first frame. */
function read(stack: string): (string | null)[] {
  return framesWithCauses(stack).flatMap(({ frame, cause }) =>
    cause === null ? [frame.functionName] : [cause, frame.functionName],
  )
}

t.test('finds the causes in pino and Node stacks', async t => {
  const outer = 'Error: outer\n    at pay (/app/pay.js:1:1)'
  const inner = '    at get (/app/http.js:2:2)\n    at fetch (/app/http.js:3:3)'
  const expected = ['pay', 'Caused by: TimeoutError: no answer', 'get', 'fetch']
  t.same(read(`${outer}\ncaused by: TimeoutError: no answer\n${inner}`), expected)
  t.same(read(`${outer} {\n  [cause]: TimeoutError: no answer\n  ${inner}\n}`), expected)
  t.same(read(`${outer}\ncaused by: TimeoutError: no answer\nof the API\n${inner}`), expected)
  t.same(read(`${outer}\nEmitted 'error' event on Server instance at:\n${inner}`), [
    ...['pay', "Emitted: 'error' event on Server instance", 'get', 'fetch'],
  ])
  t.same(read(outer), ['pay'])
})

t.test('finds causes and suppressed errors in Java stack traces', async t => {
  const frame = (name: string) => `\tat com.shop.Cart.${name}(Cart.java:1)`
  const stack = [
    'com.shop.OrderException: no order',
    frame('order'),
    '\tSuppressed: java.io.IOException: closed',
    `\t${frame('close')}`,
    'Caused by: java.lang.NullPointerException: no cart',
    frame('cart'),
    '\t... 12 more',
  ]
  t.same(read(stack.join('\n')), [
    'com.shop.Cart.order',
    'Suppressed: java.io.IOException: closed',
    'com.shop.Cart.close',
    'Caused by: java.lang.NullPointerException: no cart',
    'com.shop.Cart.cart',
  ])
})

t.test('lists causes without frames together with the next cause that has frames', async t => {
  const stack = `java.lang.RuntimeException: outer
\tat com.shop.Cart.order(Cart.java:1)
Caused by: java.io.IOException: middle
\t... 12 more
Caused by: java.net.ConnectException: refused
\tat com.shop.Net.connect(Net.java:2)`
  t.same(read(stack), [
    'com.shop.Cart.order',
    'Caused by: java.io.IOException: middle\nCaused by: java.net.ConnectException: refused',
    'com.shop.Net.connect',
  ])
})

t.test('finds the errors in an AggregateError', async t => {
  const aggregate = `AggregateError: many
    at pay (/app/pay.js:1:1) {
  [errors]: [
    Error: a
        at one (/app/pay.js:2:1) {
      code: 1
    },
    'text',
    TypeError
        at two (/app/pay.js:3:1),
    Error: c
        at three (/app/pay.js:4:1) {
      [cause]: RangeError: d
          at four (/app/pay.js:5:1)
    }
  ]
}`
  t.same(read(aggregate), [
    ...['pay', 'One of its errors: Error: a', 'one', 'One of its errors: TypeError', 'two'],
    ...['One of its errors: Error: c', 'three', 'Caused by: RangeError: d', 'four'],
  ])
})

const endOfInner = '   --- End of inner exception stack trace ---'

t.test('finds the inner exceptions in .NET stack traces', async t => {
  const expected = [
    ...['Shop.Cart.First', 'Shop.Program.Main'],
    ...['Caused by: Shop.CartException: no items', 'Shop.Cart.Items'],
    ...['Caused by: System.FormatException: bad', 'Shop.Price.Parse'],
  ]
  const below = [
    '   at Shop.Price.Parse()',
    endOfInner,
    '   at Shop.Cart.Items()',
    endOfInner,
    '   at Shop.Cart.First()',
    '--- End of stack trace from previous location ---',
    '   at Shop.Program.Main()',
  ]
  const heads = ['System.Exception: Seq', 'Shop.CartException: no items', 'System.FormatException: bad']
  t.same(read([heads.join('\n ---> '), ...below].join('\n')), expected)
  t.same(read([heads.join(' ---> '), ...below].join('\r\n')), expected, '.NET Framework')
})

t.test('lists inner exceptions without frames together with the next one that has frames', async t => {
  const stack = [
    ...['Shop.A: a', ' ---> Shop.B: b', ' ---> Shop.C: c', '   at Shop.Cart.C()', endOfInner, endOfInner],
    '   at Shop.Cart.A()',
  ]
  const cause = 'Caused by: Shop.B: b\nCaused by: Shop.C: c'
  t.same(read(stack.join('\n')), ['Shop.Cart.A', cause, 'Shop.Cart.C'])
  t.same(read(stack.slice(0, -1).join('\n')), [cause, 'Shop.Cart.C'])
})

t.test('finds the errors in an AggregateException', async t => {
  const aggregate = [
    'System.AggregateException: many (a) (b) (c)',
    ' ---> System.Exception: a',
    '   at Shop.Cart.A()',
    endOfInner,
    '   at Shop.Cart.All()',
  ]
  const first = [' ---> (Inner Exception #0) System.Exception: a', '   at Shop.Cart.A()<---', '']
  const others = [
    ' ---> (Inner Exception #1) System.Exception: b',
    ' ---> System.FormatException: bad',
    '   at Shop.Price.Parse()',
    endOfInner,
    '   at Shop.Cart.B()<---',
    '',
    ' ---> (Inner Exception #2) System.Exception: c<---',
    '',
    ' ---> (Inner Exception #3) System.Exception: d',
    '   at Shop.Cart.D()<---',
    '',
  ]
  const expected = [
    ...['Shop.Cart.All', 'Caused by: System.Exception: a', 'Shop.Cart.A'],
    ...['One of its errors: System.Exception: b', 'Shop.Cart.B'],
    ...['Caused by: System.FormatException: bad', 'Shop.Price.Parse'],
    'One of its errors: System.Exception: c\nOne of its errors: System.Exception: d',
    'Shop.Cart.D',
  ]
  t.same(read([...aggregate, ...others].join('\n')), expected)
  t.same(read([...aggregate, ...first, ...others].join('\n')), expected, 'the first error is printed twice')
  const nested = ['Shop.E: outer', ' ---> ', ...aggregate, ...others, endOfInner, '   at Shop.Cart.Outer()']
  t.same(read(nested.join('\n').replace(' ---> \n', ' ---> ')), [
    ...['Shop.Cart.Outer', 'Caused by: System.AggregateException: many (a) (b) (c)'],
    ...expected,
  ])
  t.same(read([aggregate[0], aggregate[4], ...first].join('\n')), [
    ...['Shop.Cart.All', 'One of its errors: System.Exception: a', 'Shop.Cart.A'],
  ])
})

t.test('keeps the frames of the root cause of a very long stack', async t => {
  const frames = Array.from({ length: 400 }, (_, index) => `\tat com.shop.Web.f${index}(Web.java:1)`)
  const stack = [
    'E: outer',
    ...frames,
    'Caused by: java.io.IOException: root',
    '\tat com.shop.Net.get(Net.java:2)',
  ]
  const found = read(stack.join('\n'))
  t.same(found.slice(-2), ['Caused by: java.io.IOException: root', 'com.shop.Net.get'])
  t.ok(found.length < 400)
})

t.test('finds the earlier exceptions in Python tracebacks', async t => {
  const trace = (name: string, error: string) =>
    `Traceback (most recent call last):\n  File "/app/shop.py", line 3, in ${name}\n    ${name}()\n${error}`
  const joined = (sentence: string) =>
    `${trace('load', "KeyError: 'cart'")}\n\n${sentence}\n\n${trace('show', 'shop.PageError: no cart')}`
  t.same(read(joined('The above exception was the direct cause of the following exception:')), [
    'show',
    "Caused by: KeyError: 'cart'",
    'load',
  ])
  t.same(read(joined('During handling of the above exception, another exception occurred:')), [
    'show',
    "While handling: KeyError: 'cart'",
    'load',
  ])
})

t.test('finds the errors in a Python exception group', async t => {
  const trace = (name: string, error: string, indent = '  ') =>
    [
      'Traceback (most recent call last):',
      `  File "/app/shop.py", line 3, in ${name}`,
      `    ${name}()`,
      error,
    ].map(line => `${indent}| ${line}`)
  const inner = [
    ...trace('nested', 'ExceptionGroup: inner (1 sub-exception)', '    '),
    '    +-+---------------- 1 ----------------',
    ...trace('deep', 'OSError', '      '),
    '      +------------------------------------',
  ]
  const group = [
    ...trace('both', 'ExceptionGroup: many (3 sub-exceptions)').with(
      0,
      '  + Exception Group Traceback (most recent call last):',
    ),
    '  +-+---------------- 1 ----------------',
    ...trace('load', "KeyError: 'cart'", '    '),
    '    | ',
    '    | The above exception was the direct cause of the following exception:',
    '    | ',
    ...trace('show', 'shop.PageError: no cart', '    '),
    '    +---------------- 2 ----------------',
    ...inner,
    '    +---------------- 3 ----------------',
    ...trace('pay', 'ValueError: two\n    | lines', '    '),
    '    +------------------------------------',
  ]
  t.same(read(group.join('\n')), [
    ...['both', 'One of its errors: ValueError: two', 'pay'],
    ...['One of its errors: ExceptionGroup: inner (1 sub-exception)', 'nested'],
    ...['One of its errors: shop.PageError: no cart', 'show', "Caused by: KeyError: 'cart'", 'load'],
    ...['One of its errors: OSError', 'deep'],
  ])
})

t.test('text between frames does not hide any of them, and causes have at most 300 characters', async t => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 5 }), lines => {
      const frames = framesWithCauses(
        ['Error', '    at a (/a.js:1:1)', ...lines, '    at b (/b.js:2:2)'].join('\n'),
      )
      t.ok(frames.length >= 2)
      t.ok(frames.every(({ cause }) => cause === null || cause.length <= 300))
    }),
  )
})
