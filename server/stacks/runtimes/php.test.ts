import t from 'tap'
import { exceptionInText } from '../exception-in-text.ts'
import { stackFrames } from '../stack.ts'
import { describeFrames } from '../testing.ts'

const printed = `LogicException: no price in /app/shop.php:5
Stack trace:
#0 /app/shop.php(6): Shop\\Cart->total(Array)
#1 [internal function]: Shop\\Cart->pay(NULL)
#2 /app/main.php(4): array_map(Object(Closure), Array)
#3 /app/main.php(4): {closure}()
#4 {main}

Next Shop\\CardDeclined: card
declined in /app/shop.php:6
Stack trace:
#0 /app/main.php(4): Shop\\Cart->pay()
#1 {main}`
const monolog = `[2026-11-26T13:37:09.150525+00:00] shop.ERROR: payment failed {"exception":"[object] (Shop\\\\CardDeclined(code: 0): card declined at /app/shop.php:6)
[stacktrace]
#0 /app/main.php(4): Shop\\\\Cart->pay()
#1 {main}

[previous exception] [object] (LogicException(code: 5): no price at /app/shop.php:5)
[stacktrace]
#0 /app/shop.php(6): Shop\\\\Cart->total()
#1 {main}
","order":7} []`

t.test("parses PHP's stack traces, the thrown exception first", async t => {
  t.same(describeFrames(printed), [
    'Shop\\Cart::pay /app/shop.php 6',
    ' /app/main.php 4',
    'Shop\\Cart::total /app/shop.php 5 Caused by: LogicException: no price',
    'Shop\\Cart::pay /app/shop.php 6',
    '{closure} /app/main.php 4',
    ' /app/main.php 4',
  ])
  t.same(describeFrames(monolog), [
    'Shop\\Cart::pay /app/shop.php 6',
    ' /app/main.php 4',
    'Shop\\Cart::total /app/shop.php 5 Caused by: LogicException: no price',
    ' /app/shop.php 6',
  ])
  t.same(describeFrames('#0 /app/shop.php(6): total()\n#1 {main}'), [' /app/shop.php 6'])
})

t.test('finds PHP exceptions in messages', async t => {
  const type = 'Shop\\CardDeclined'
  t.match(exceptionInText(printed), {
    exception: { type, message: 'card\ndeclined', stack: printed },
    summary: `${type}: card\ndeclined`,
  })
  t.match(exceptionInText(monolog), {
    exception: { type, message: 'card declined' },
    summary: '[2026-11-26T13:37:09.150525+00:00] shop.ERROR: payment failed',
  })
  const uncaught = (prefix: string) =>
    `${prefix}${type}: card declined in /app/shop.php:6\nStack trace:\n#0 {main}\n  thrown in /app/shop.php on line 6`
  for (const prefix of ['PHP Fatal error:  Uncaught ', '[2026-11-26] shop.ERROR: ', 'ERROR: '])
    t.match(exceptionInText(uncaught(prefix)), { exception: { type, message: 'card declined' } }, prefix)
  t.equal(exceptionInText('Plan:\n#0 buy milk\n#1 pay'), null)
})

t.test('removes what PHP adds to the message of a TypeError when it prints the error', async t => {
  const message =
    'pay(): Argument #1 ($cart) must be of type Cart, null given, called in /app/a.php on line 5'
  const trace = '\nStack trace:\n#0 /app/a.php(5): pay(NULL)\n#1 {main}\n  thrown in /app/shop.php on line 12'
  for (const [printed, expected] of [
    [`${message} and defined`, message],
    ['shop is open and defined', 'shop is open and defined'],
  ]) {
    const text = `PHP Fatal error:  Uncaught TypeError: ${printed} in /app/shop.php:12${trace}`
    t.same(exceptionInText(text), {
      exception: { type: 'TypeError', message: expected, stack: text },
      summary: `PHP Fatal error:  TypeError: ${expected}`,
    })
  }
})

t.test("reads the message above an exception in Laravel's context", async t => {
  const summary = '[2026-11-26] shop.ERROR: payment {"id":7} failed'
  for (const context of ['', '"userId":1,', '"user":{"id":1},"note":"a {\\"b\\"",'])
    t.equal(exceptionInText(monolog.replace(/^.*?(?="exc)/, `${summary} {${context}`))?.summary, summary)
})

t.test('limits the number of traces that are read', async t => {
  const text = 'Boom: x in /a.php:5\nStack trace:\n#0 {main}\n'.repeat(2000)
  t.match(exceptionInText(text), { exception: { type: 'Boom', message: 'x' } })
  t.equal(stackFrames(text).length, 20)
})
