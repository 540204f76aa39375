import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { formatFrame, parseStack, stackFrames } from './stack.ts'

/** Formats each frame as `function file line column`, followed by `async` if the frame is async. */
function short(stack: string): string[] {
  return stackFrames(stack).map(({ functionName, file, line, column, async }) =>
    [functionName ?? '-', file, line ?? '-', column ?? '-', ...(async ? ['async'] : [])].join(' '),
  )
}

t.test('parses V8 stacks', async t => {
  t.same(
    short(`TypeError: Cannot read properties of undefined (reading 'total')
      at a line of the message (that is not a frame)
    at sumOf (/app/server/cart.ts:18:23)
    at Cart.total [as sum] (file:///app/cart.js:1:2)
    at Layer.handle [as GET /x (y)] (/app/(shop)/a.js:1:2)
    at async Route.get [as /[id]/(y) (z)] (/app/[id] (z)/a.js:3:4)
    at eval (eval at Cart.total [as sum] (/app/run.js:4:5), <anonymous>:1:7)
    at new Cart (C:\\shop\\cart.js:3:4)
    at async Promise.all (index 0)
    at async checkout (webpack-internal:///(rsc)/./app/(shop)/page.tsx:10:5)
    at https://shop.example/assets/entry-AB12CD34.js?v=1:1:2345
    at /app/(shop)/page.js:7:8
    at (anonymous) (/app/page.js:7:9)
    at Array.map (<anonymous>)
    at JSON.parse (native)
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)
    at eval (eval at run (/app/run.js:4:5), <anonymous>:1:7)
    at eval (eval at f (eval at g (/app/g.js:8:9), <anonymous>:1:1), <anonymous>:2:2)
caused by: Error: timeout
    at fetchPrice (/app/price.ts:5)`),
    [
      'sumOf /app/server/cart.ts 18 23',
      'Cart.total file:///app/cart.js 1 2',
      'Layer.handle /app/(shop)/a.js 1 2',
      'Route.get /app/[id] (z)/a.js 3 4 async',
      'eval /app/run.js 4 5',
      'new Cart C:\\shop\\cart.js 3 4',
      'Promise.all index 0 - - async',
      'checkout webpack-internal:///(rsc)/./app/(shop)/page.tsx 10 5 async',
      '- https://shop.example/assets/entry-AB12CD34.js?v=1 1 2345',
      '- /app/(shop)/page.js 7 8',
      '- /app/page.js 7 9',
      'Array.map <anonymous> - -',
      'JSON.parse native - -',
      'process.processTicksAndRejections node:internal/process/task_queues 105 5',
      'eval /app/run.js 4 5',
      'eval /app/g.js 8 9',
      'fetchPrice /app/price.ts 5 -',
    ],
  )
})

t.test('parses SpiderMonkey and JavaScriptCore stacks', async t => {
  t.same(
    short(`sumOf@https://shop.example/assets/cart-AB12CD34.js:1:234
total/<@https://shop.example/@fs/cart.js:5:6
checkout/total<@https://shop.example/cart.js:6:7
async*checkout@http://localhost:3000/checkout.js:7:8
setTimeout handler*later@http://localhost:3000/checkout.js:8:9
EventListener.handleEvent*@http://localhost:3000/checkout.js:9:1
@https://shop.example/app.js:1:1
run@https://shop.example/app.js line 12 > eval:1:1
`),
    [
      'sumOf https://shop.example/assets/cart-AB12CD34.js 1 234',
      '- https://shop.example/@fs/cart.js 5 6',
      'total https://shop.example/cart.js 6 7',
      'checkout http://localhost:3000/checkout.js 7 8 async',
      'later http://localhost:3000/checkout.js 8 9 async',
      '- http://localhost:3000/checkout.js 9 1 async',
      '- https://shop.example/app.js 1 1',
      'run https://shop.example/app.js 12 -',
    ],
  )
  t.same(
    short(`sumOf@https://shop.example/cart.js:1:2
map@[native code]
https://shop.example/cart.js:3:4
module code@https://shop.example/cart.js:9:9`),
    [
      'sumOf https://shop.example/cart.js 1 2',
      'map native - -',
      '- https://shop.example/cart.js 3 4',
      '- https://shop.example/cart.js 9 9',
    ],
  )
})

t.test('parses WebAssembly frames', async t => {
  const [named, nameless, served] = [
    'wasm://wasm/app.wasm-0133c842:wasm-function[3874]:0x466e23',
    'wasm://wasm/0145fffe:wasm-function[0]:0x1e',
    'https://shop.example/pkg/app_bg.wasm:wasm-function[12]:0x1a2b',
  ]
  t.same(
    short(`RuntimeError: unreachable
    at app.wasm.shop::cart::total::h0123456789abcdef (${named})
    at app.wasm.<a as b>::f (${named})
    at ${nameless}
    at main.total (${served})`),
    [
      `app.wasm.shop::cart::total::h0123456789abcdef ${named} - -`,
      `app.wasm.<a as b>::f ${named} - -`,
      `- ${nameless} - -`,
      `main.total ${served} - -`,
    ],
  )
  t.same(short(`total@${served}\n<a as b>::f@${served}\nwasm-function[12]@${served}\n@${served}`), [
    `total ${served} - -`,
    `<a as b>::f ${served} - -`,
    `- ${served} - -`,
    `- ${served} - -`,
  ])
  t.same(short('app.wasm-function[total]@[wasm code]\n<?>.wasm-function[12]@[wasm code]\n@[wasm code]'), [
    'total [wasm code] - -',
    '- [wasm code] - -',
    '- [wasm code] - -',
  ])
  const frames = stackFrames(`at total (${named})\nat total ([wasm code])`)
  t.same(stackFrames(frames.map(formatFrame).join('\n')), frames, 'formatted frames are parsed')
})

t.test('parses code from `blob:` URLs', async t => {
  const url = 'blob:https://shop.example/1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed'
  t.same(short(`Error: x\n    at run (${url}:1:234)\n    at ${url}:1:300`), [
    `run ${url} 1 234`,
    `- ${url} 1 300`,
  ])
  t.same(short(`run@${url}:1:234\n@${url}:1:300\n${url}:1:300`), [
    `run ${url} 1 234`,
    `- ${url} 1 300`,
    `- ${url} 1 300`,
  ])
})

t.test('parses getters and setters in SpiderMonkey stacks', async t => {
  t.same(
    short(
      'get value@http://localhost/a.js:3:5\nset code@http://localhost/a.js:4:5\nan error@http://h/a.js:4:5',
    ),
    ['get value http://localhost/a.js 3 5', 'set code http://localhost/a.js 4 5'],
  )
})

t.test('parses stacks from Hermes, whose bytecode offsets start at 0', async t => {
  t.same(
    short(`TypeError: x is not a function
    at v (address at index.android.bundle:1:164)
    at address at index.android.bundle:1:0
    at total (/app/index.bundle:7:5)`),
    ['v index.android.bundle 1 165', '- index.android.bundle 1 1', 'total /app/index.bundle 7 5'],
  )
})

t.test('does not parse messages as frames', async t => {
  for (const stack of [
    '',
    'Error: mail to a@b.example:25 failed',
    'at last',
    'at noon (local time)',
    'no stack: here',
  ]) {
    t.same(short(stack), [], stack)
  }
})

t.test('parses stacks from the current Node version', async t => {
  async function inner(): Promise<never> {
    await null
    throw new Error('here')
  }
  async function outer() {
    await inner()
  }
  const error = await outer().then(
    () => new Error('did not throw'),
    (thrown: Error) => thrown,
  )
  // Newer Node versions have an internal frame between these two.
  const [first, second] = stackFrames(error.stack ?? '').filter(({ file }) => !file.startsWith('node:'))
  t.match(first, { functionName: 'inner', file: /stack\.test\.ts$/, async: false })
  t.match(second, { functionName: 'outer', file: /stack\.test\.ts$/, async: true })
})

t.test('a JavaScript stack in the message does not replace the frames of the runtime that threw', async t => {
  const quoted = `TypeError: x is not a function
    at eval (eval at evaluate (:313:29), <anonymous>:1:1)
    at Frame.evaluate (/driver/lib/frames.js:472:35)`
  const functions = (text: string) => stackFrames(text).map(({ functionName }) => functionName)
  const traceback =
    'Traceback (most recent call last):\n  File "/app/shop.py", line 3, in scrape\n    scrape()'
  for (const log of [
    '2026-11-26 ERROR scrape failed',
    'Internal Server Error: /orders/5',
    'ERROR:    Exception in app',
  ])
    t.same(functions(`${log}\n${traceback}\nplaywright.Error: ${quoted}`), ['scrape'], log)
  t.same(functions(`[ERROR] Error: ${quoted}\n${traceback}`), ['scrape'])
  const java = 'com.microsoft.playwright.PlaywrightException: Error {'
  t.same(functions(`${java}\n  stack='${quoted}\n}\n\tat com.shop.Scraper.scrape(Scraper.java:12)`), [
    'com.shop.Scraper.scrape',
  ])
  t.same(functions(`panic: ${quoted}\n\ngoroutine 1 [running]:\nmain.scrape()\n\t/src/shop.go:3 +0x1d`), [
    'main.scrape',
  ])
  t.same(
    functions(
      `Microsoft.JSInterop.JSException: x\n${quoted}\n   at Shop.Scraper.Scrape() in /src/S.cs:line 12`,
    ),
    ['Shop.Scraper.Scrape'],
  )
  t.same(functions(`Ferrum::JavaScriptError: ${quoted}\n/app/shop.rb:3:in 'Shop#scrape'`), ['Shop#scrape'])
})

t.test('a stack of another runtime in the message does not replace the frames of Node', async t => {
  const node = '    at run (/app/run.js:1:2)'
  for (const quoted of [
    'Traceback (most recent call last):\n  File "a.py", line 3, in scrape\nValueError: no cart',
    'Exception in thread "main" java.lang.Error: no cart\n\tat com.shop.Cart.total(Cart.java:1)',
    'panic: no cart\n\ngoroutine 1 [running]:\nmain.total()\n\t/src/cart.go:3 +0x1d',
  ]) {
    for (const head of [
      'Error: Command failed',
      '⨯ ExecError [E1]: failed',
      'Import failed: Error: failed',
      '{"type": "Error"',
    ])
      t.match(stackFrames(`${head}\n${quoted}\n${node}`), [{ functionName: 'run' }], head)
  }
  const traceback =
    'Traceback (most recent call last):\n  File "a.py", line 3, in scrape\nValueError: no cart'
  for (const below of [
    traceback,
    'caused by: ApplicationFailure: no cart\n  File "/app/cart.py", line 3, in total',
    '  [cause]: Error: no cart\n\tat com.shop.Cart.total(Cart.java:1)',
  ])
    t.match(stackFrames(`Error: Command failed\n${node}\n${below}`), [{ functionName: 'run' }], below)
})

t.test('property: parsing a formatted frame returns the frame', async t => {
  const position = fc.integer({ min: 1, max: 999_999_999 })
  const frame = fc.record({
    functionName: fc.option(fc.constantFrom('f', 'Cart.total', 'new Cart', '$a', 'größe')),
    file: fc.oneof(
      fc.stringMatching(/^\/[\w.()[\]@ +-]{0,20}[jt]s$/),
      fc.constantFrom('/app/x.ts', 'file:///a b/c.js', 'https://h:80/x.js?a=1', 'server/x (1).ts', 'node:fs'),
    ),
    line: position,
    column: position,
    async: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 10 }), frames => {
      t.same(stackFrames(['Error: x', ...frames.map(formatFrame)].join('\n')), frames)
    }),
  )
})

t.test('property: never throws and preserves every line', async t => {
  const piece = fc.constantFrom(
    ...[
      'at ',
      '\n',
      '    ',
      '(',
      ')',
      '@',
      ':1',
      ':',
      'eval at ',
      ' line 1 > eval',
      '/',
      '<anonymous>',
      'a',
      'https://',
      '[as ',
      'File "a.py", line 1',
      'Traceback (most recent call last):',
      'goroutine 1 [',
      '\t/a.go:1',
      'panic(',
      '.a(A.java:1)',
      ' in ',
      'A.b(',
      ':wasm-function[1]:0x1',
      'get ',
      'blob:',
      'address at ',
    ],
  )
  const junk = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(piece, { maxLength: 50 }).map(parts => parts.join('')),
  )
  fc.assert(
    fc.property(junk, stack => {
      return (
        parseStack(stack)
          .map(({ text }) => text)
          .join('\n') === stack
      )
    }),
    { numRuns: 700 },
  )
  t.pass()
})

t.test('parses a megabyte of junk in linear time', async t => {
  const seeds = [
    ' ',
    '\n',
    'at ',
    '    at a (',
    ':1',
    'at a:1',
    '@',
    'a@b:1:1\n',
    'eval at (',
    '(eval at ',
    '/',
    '\n at x (y:1:1)',
    'at a.',
    '\nat a.b(A.java:1)',
    'at a.b(',
    'at a/',
    '|',
    '  File "',
    '\n  File "a", line 1',
    '\nTraceback (most recent call last):',
    '\ngoroutine 1 [',
    '\nmain.f()\n\t/a.go:1',
    '\n\t/a.go:1',
    'panic(',
    ',',
    '\r\n',
    '.ex:1: f(',
    '\na.ex:1: f(',
    '\na.erb:1',
    '\n   0: ',
    '\n   0: a\n  at a.rs:1:1',
    'address at ',
    '\nat address at a:1:1',
    ':wasm-function[1]:0x1',
    '\na@b:wasm-function[1]:0x1',
    'get ',
    '\nget a@b:1:1',
    'blob:',
    '\nat a (b:1:1)\n\tat a.b(A.java:1)',
    '\nTraceback (most recent call last):\nat a (b:1:1)',
  ]
  for (const seed of seeds)
    t.ok(stackFrames(seed.repeat(1e6 / seed.length)).length <= 300, JSON.stringify(seed))
})
