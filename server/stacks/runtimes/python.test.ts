import t from 'tap'
import { exceptionInText } from '../exception-in-text.ts'
import { parseStack, stackFrames } from '../stack.ts'

const chained = `Traceback (most recent call last):
  File "/app/shop/cart.py", line 6, in checkout
    total(order)
  File "/app/shop/cart.py", line 3, in total
    return cart['price']['total']
           ~~~~^^^^^^^^^
KeyError: 'price'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/app/main.py", line 16, in <module>
    checkout({})
  File "/app/shop/cart.py", line 8, in checkout
    raise RuntimeError(f"order failed\\nagain") from e
shop.errors.OrderError: order 4711 failed
again
`
const group = `  + Exception Group Traceback (most recent call last):
  |   File "/app/a.py", line 16, in <module>
  |     try: f()
  |          ^^^
  |   File "/app/a.py", line 14, in both
  |     raise ExceptionGroup("two", es)
  | ExceptionGroup: two (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/app/a.py", line 3, in total
    |     return cart['price']['total']
    | KeyError: 'price'
    +---------------- 2 ----------------
    | Traceback (most recent call last):
    |   File "/app/a.py", line 12, in sum
    |     try: total({})
    | KeyError: 'price'
    +------------------------------------
`
const short = (text: string) =>
  stackFrames(text).map(({ functionName, file, line }) => `${functionName ?? '-'} ${file} ${line}`)

t.test('orders frames innermost first, and the last raised exception before its cause', async t => {
  t.same(short(chained), [
    'checkout /app/shop/cart.py 8',
    '<module> /app/main.py 16',
    'total /app/shop/cart.py 3',
    'checkout /app/shop/cart.py 6',
  ])
  t.same(
    parseStack(chained).flatMap(({ frame }) => frame?.line ?? []),
    [6, 3, 16, 8],
    'lines keep their original order',
  )
  t.same(exceptionInText(chained), {
    exception: { type: 'shop.errors.OrderError', message: 'order 4711 failed\nagain', stack: chained.trim() },
    summary: 'shop.errors.OrderError: order 4711 failed\nagain',
  })
})

t.test('the exceptions of a group follow the group', async t => {
  t.same(short(group), [
    'both /app/a.py 14',
    '<module> /app/a.py 16',
    'sum /app/a.py 12',
    'total /app/a.py 3',
  ])
  t.match(exceptionInText(group)?.exception, { type: 'ExceptionGroup', message: 'two (2 sub-exceptions)' })
})

t.test('preserves the text that a logger wrote above the traceback', async t => {
  const text =
    'ERROR:root:checkout failed\nTraceback (most recent call last):\n  File "<string>", line 1\n    1+\nSyntaxError: invalid syntax'
  t.match(exceptionInText(text), {
    exception: { type: 'SyntaxError', message: 'invalid syntax' },
    summary: 'ERROR:root:checkout failed\nSyntaxError: invalid syntax',
  })
  t.same(short(text), ['- <string> 1'])
})

t.test('reads the error above a traceback, as printed by AWS Lambda', async t => {
  for (const indent of ['  ', '\u00a0\u00a0']) {
    const text = [
      "[ERROR] KeyError: 'cart'",
      'Traceback (most recent call last):',
      `${indent}File "/var/task/app.py", line 5, in handler`,
      `${indent.repeat(2)}return event['cart']`,
    ].join('\n')
    t.match(exceptionInText(text)?.exception, { type: 'KeyError', message: "'cart'", stack: text })
    t.same(short(text), ['handler /var/task/app.py 5'])
  }
})

t.test('omits frames in the middle of a very deep traceback', async t => {
  const deep = Array.from({ length: 1000 }, (_, line) => `  File "a.py", line ${line + 1}, in f`)
  const frames = stackFrames(
    ['Traceback (most recent call last):', ...deep, 'RecursionError: deep'].join('\n'),
  )
  t.match(frames, { 0: { line: 1000 }, 199: { line: 801 }, 200: { line: 100 }, length: 300 })
})

t.test('reads the outer stack if its message contains a stack from another runtime', async t => {
  const inNode = `Error: Command failed: python3 a.py\n${chained}\n    at ChildProcess.exit (node:child_process:422:12)`
  t.same(short(inNode), ['ChildProcess.exit node:child_process 422'])
  const inPython = `Traceback (most recent call last):\n  File "a.py", line 1, in run\nRuntimeError: Error: x\n    at f (/app/x.js:1:2)`
  t.same(short(inPython), ['run a.py 1'])
})

t.test('reads an error whose class is defined in a function', async t => {
  const text =
    'Traceback (most recent call last):\n  File "a.py", line 1, in pay\nshop.pay.<locals>.NoCart: none'
  t.match(exceptionInText(text)?.exception, { type: 'shop.pay.<locals>.NoCart', message: 'none' })
})
