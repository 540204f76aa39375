import t from 'tap'
import type { Exception } from '../../shared/event.ts'
import { exceptionInText } from '../stacks/exception-in-text.ts'
import { fingerprint } from './fingerprint.ts'

/** `same`: one bug, seen in different builds, on different machines or by different loggers. `other`: different bugs. */
type Case = { same: readonly Exception[]; other: readonly Exception[] }

/** Parses a stack trace as it appears in a log or on standard error. */
function trace(...lines: string[]): Exception {
  const found = exceptionInText(lines.join('\n'))
  if (found === null) throw new Error(`No exception in ${lines[0]}`)
  return found.exception
}

/** An exception reported by a page. SpiderMonkey and JavaScriptCore stacks do not include the message. */
function reported(type: string, message: string, ...frames: string[]): Exception {
  return { type, message, stack: frames.join('\n') }
}

const express = (root: string, id: string, line: number, name = 'sumOf') =>
  trace(
    `Error: order ${id} has no price`,
    `    at ${name} (${root}/src/cart.js:${line}:11)`,
    `    at Cart.total [as sum] (file://${root}/src/cart.js:${line + 20}:3)`,
    `    at async ${root}/src/routes/checkout.js:7:${line}`,
    `    at Layer.handle (${root}/node_modules/express/lib/layer.js:${line}:5)`,
    `    at process.processTicksAndRejections (node:internal/process/task_queues:${line}:5)`,
  )

const deno = (serve: string, name = 'listen') =>
  trace(
    'AddrInUse: Address already in use (os error 98)',
    `    at ${name} (ext:deno_net/${serve}:594:35)`,
    '    at serve (file:///app/main.ts:5:3)',
    `    at mapped (ext:deno_http/${serve}:407:18)`,
  )

const nextServer = (hash: string, turbopack: string, digest: string, route = 'orders/[id]') =>
  trace(
    " ⨯ TypeError: Cannot read properties of undefined (reading 'total')",
    `    at ${hash.slice(0, 1)} (/srv/${digest}/shop/.next/server/chunks/ssr/[root-of-the-server]__${turbopack}._.js:1:77)`,
    `    at async ${hash.slice(1, 2)} (/srv/${digest}/shop/.next/server/app/${route}/page-${hash}.js:2:1)`,
    `    at async x (/srv/${digest}/shop/.next/server/chunks/ssr/node_modules_next_dist_${turbopack}._.js:9:5) {`,
    `  digest: '${digest}'`,
    '}',
  )

const nextDevelopment = (scheme: string, line: number) =>
  trace(
    'Error: no cart',
    `    at Page (${scheme}app/(shop)/page.tsx:${line}:9)`,
    `    at total (${scheme}lib/cart.ts:${line}:2)`,
  )

const chunk = (hash: string) => `https://shop.example/_next/static/chunks/app/cart/page-${hash}.js`
const vendor = (hash: string) => `https://shop.example/_next/static/chunks/framework-${hash}.js`
const inV8 = (hash: string, name: string, property = 'total') =>
  trace(
    `TypeError: Cannot read properties of undefined (reading '${property}')`,
    `    at ${name} (${chunk(hash)}:1:2345)`,
    `    at Array.map (<anonymous>)`,
    `    at ${vendor(hash)}:1:99`,
  )
const inGecko = (hash: string, name: string) =>
  reported(
    'TypeError',
    `can't access property "total", ${name}.price is undefined`,
    `${name}/<@${chunk(hash)}:1:2301`,
    `${name}@${chunk(hash)}:1:2345`,
    `zz@${vendor(hash)}:1:99`,
  )
const inWebKit = (hash: string, name: string) =>
  reported(
    'TypeError',
    `undefined is not an object (evaluating '${name}.price.total')`,
    `@${chunk(hash)}:1:2311`,
    'map@[native code]',
    `${name}@${chunk(hash)}:1:2345`,
    `@${vendor(hash)}:1:99`,
  )

const java = (line: number, id: string, method = 'total', cause = 'price') =>
  trace(
    `Exception in thread "pool-${line}-thread-${line}" java.lang.IllegalStateException: no cart ${id} in com.shop.Cart@${id}`,
    `\tat com.shop.Cart.${method}(Cart.java:${line})`,
    `\tat com.shop.Cart.lambda$sum$${line}(Cart.java:${line})`,
    `\tat com.shop.Cart$$EnhancerBySpringCGLIB$$${id}.sum(<generated>)`,
    `\tat java.base/java.util.ArrayList.forEach(ArrayList.java:${line})`,
    `\tat org.springframework.web.Filter.doFilter(Filter.java:${line})`,
    `Caused by: java.lang.NullPointerException: Cannot invoke "Price.cents()" because "<local${line}>.${cause}" is null`,
    `\tat com.shop.Price.${cause}(Price.java:${line})`,
    `\t... ${line} more`,
  )

const python = (root: string, line: number, id: string, name = 'total') =>
  trace(
    'Traceback (most recent call last):',
    `  File "${root}/venv/lib/python3.${line}/site-packages/django/core/handlers/base.py", line ${line}, in get_response`,
    `  File "${root}/shop/views.py", line ${line}, in checkout`,
    `    ${name}(order)`,
    `  File "${root}/shop/cart.py", line ${line + 4}, in ${name}`,
    '    ~~~~~^^^^^',
    `shop.errors.OrderError: order ${id} of <Cart object at 0x7f${id}> failed`,
  )

const go = (root: string, line: number, pointer: string, method = 'Total') =>
  trace(
    `panic: runtime error: index out of range [${line}] with length 3`,
    '',
    `goroutine ${line} [running]:`,
    `example.com/shop/cart.(*Cart).${method}(0x${pointer}, {0x${pointer}, 0x3, 0x3})`,
    `\t${root}/cart/cart.go:${line} +0x${line}d`,
    `main.checkout.func${line}(...)`,
    `\t${root}/main.go:${line}`,
    `net/http.HandlerFunc.ServeHTTP(0x${pointer}, {0x${pointer}, 0x0}, 0x1)`,
    `\t/usr/local/go1.${line}/src/net/http/server.go:21${line} +0x29`,
    `created by net/http.(*Server).Serve in goroutine ${line}`,
    `\t/usr/local/go1.${line}/src/net/http/server.go:31${line} +0x5cb`,
  )

/** A recovered panic, as the runtime and loggers print it. */
const goRecovered = (panic: string, method = 'total') =>
  trace(
    'no cart',
    ...(panic.startsWith('panic') ? ['goroutine 7 [running]:'] : []),
    'main.recovered.func1.1',
    '\t/src/shop/recovery.go:5',
    panic,
    '\t/usr/local/go/src/runtime/panic.go:770',
    `main.${method}`,
    '\t/src/shop/cart.go:9',
  )

const goGeneric = (line: number, method: string) =>
  trace(
    'panic: no price',
    '',
    `goroutine ${line} [running]:`,
    `main.(*Cache[...])${method}(...)`,
    `\t/src/shop/cache.go:${line} +0x1d`,
    'main.checkout()',
    `\t/src/shop/main.go:${line} +0x1d`,
  )

const dotnet = (root: string, line: number, method = 'Total') =>
  trace(
    `System.InvalidOperationException: Order ${line} has no price`,
    `   at Shop.Cart.<${method}>d__${line}.MoveNext() in ${root}/Shop/Cart.cs:line ${line}`,
    '   at System.Runtime.CompilerServices.TaskAwaiter.GetResult()',
  )

const elixir = (line: number, called = 'total/1', ...above: string[]) =>
  trace(
    ...above,
    `** (FunctionClauseError) no function clause matching in Shop.Cart.${called.replace(/\(.*/, '/1')}`,
    `    (shop 1.4.0) lib/shop/cart.ex:${line}: Shop.Cart.${called}`,
    `    (elixir 1.18.4) lib/enum.ex:${line}: Enum."-map/2-lists^map/1-1-"/2`,
    `    (shop 1.4.0) lib/shop/web.ex:${line}: anonymous fn/2 in Shop.Web.show/2`,
  )

const rubyView = (id: number, view = 'show') =>
  trace(
    `/srv/${id}/app/views/carts/${view}.html.erb:${id}:in 'block in _app_views_carts_${view}_html_erb___${id}203948_${id}40': no price (ActionView::Template::Error)`,
    `\tfrom /srv/${id}/app/controllers/carts_controller.rb:${id}:in 'CartsController#show'`,
  )
const railsView = (line: number, view = 'show', tags = '') =>
  trace(
    `${tags}ActionView::Template::Error (no price):`,
    `${tags}    ${line}: <%= cart.price %>`,
    `${tags}  `,
    `${tags}app/views/carts/${view}.html.erb:${line}`,
    `${tags}app/controllers/carts_controller.rb:${line}:in 'CartsController#show'`,
  )

const phpCall = 'pay(): Argument #1 must be of type Cart, null given, called in /app/a.php on line 5'
const phpTrace = ['#0 /app/a.php(5): pay(NULL)', '#1 {main}']
const phpPrinted = (type: string) =>
  trace(
    `PHP Fatal error:  Uncaught ${type}: ${phpCall} and defined in /app/pay.php:12`,
    'Stack trace:',
    ...phpTrace,
  )
const laravel = (context: string) =>
  trace(
    `[2026-11-26] shop.ERROR: ${phpCall} {${context}"exception":"[object] (TypeError(code: 0): ${phpCall} at /app/pay.php:12)`,
    '[stacktrace]',
    ...phpTrace,
    '"}',
  )

const minimalApi = (id: number, method = '<Main>$') =>
  trace(
    'System.InvalidOperationException: no price',
    `   at Program.<${method}>g__Total|0_${id}(Order order) in /src/Program.cs:line ${id}`,
    `   at Program.<>c.<<${method}>b__0_${id}>d.MoveNext() in /src/Program.cs:line ${id}`,
  )

const jvmLambdas = (extension: string, ...calls: string[]) =>
  trace(
    'java.lang.IllegalStateException: no price',
    ...calls.map(call => `\tat com.shop.Cart.${call}(Cart.${extension}:${call.length})`),
  )

const rust = (root: string, line: number, name = 'total', ...outerFrames: string[]) =>
  trace(
    'Error: no cart',
    '',
    'Stack backtrace:',
    '   0: anyhow::error::<impl anyhow::Error>::msg',
    `             at ${root}/.cargo/registry/src/index-6f/anyhow-1.0.75/src/backtrace.rs:${line}:14`,
    `   1: shop::cart::${name}`,
    `             at ./src/cart.rs:${line}:5`,
    '   2: shop::main',
    `             at ./src/main.rs:${line}:9`,
    ...outerFrames,
  )

const debianLibc = [
  '   3: __libc_start_call_main',
  '             at ./csu/../sysdeps/nptl/libc_start_call_main.h:58:16',
  '   4: __libc_start_main_impl',
  '             at ./csu/../csu/libc-start.c:360:3',
]
const fedoraLibc = [
  '   3: start_thread',
  '             at /usr/src/debug/glibc-2.39-6.fc40.x86_64/nptl/pthread_create.c:447:8',
  '   4: __clone3',
  '             at /usr/src/debug/glibc-2.39-6.fc40.x86_64/misc/../sysdeps/unix/sysv/linux/x86_64/clone3.S:78',
]

const inWorker = (id: string, name: string) =>
  trace('TypeError: x is not a function', `    at ${name} (blob:https://shop.example/${id}:1:234)`)

const inPage = (path: string, name = 'onclick') =>
  trace('ReferenceError: cart is not defined', `    at ${name} (https://shop.example${path}:57:10)`)

const inWasm = (hash: string, index: number, name = 'total') =>
  trace(
    'RuntimeError: unreachable',
    `    at app.wasm.shop::cart::${name}::h${hash.repeat(2)} (wasm://wasm/app.wasm-${hash}:wasm-function[${index}]:0x${hash})`,
    `    at wasm://wasm/${hash}:wasm-function[${index}]:0x1e`,
    `    at pay (/app/src/pay.js:${index}:1)`,
  )

const quotesScript = (line: number, name = 'scrape') =>
  trace(
    'com.microsoft.playwright.PlaywrightException: Error {',
    "  stack='TypeError: x is not a function",
    `    at Frame.evaluate (/tmp/driver-${line}/lib/server/frames.js:${line}:35)`,
    '}',
    `\tat com.shop.Scraper.${name}(Scraper.java:${line})`,
  )

const corpus: Record<string, Case> = {
  'an inline worker, on two page loads': {
    same: [
      inWorker('1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', 'run'),
      inWorker('7c9e6679-7425-40de-944b-e07fc1f90ae7', 'e'),
    ],
    other: [],
  },
  'an inline script, on two pages': {
    same: [inPage('/orders/1234'), inPage('/orders/red-shoes?page=2'), inPage('/'), inPage('/about.html')],
    other: [inPage('/orders/1234', 'onsubmit'), inPage('/cart.js')],
  },
  'WebAssembly, in two builds': {
    same: [inWasm('0133c842', 12), inWasm('7d20eaae', 5)],
    other: [inWasm('0133c842', 12, 'tax')],
  },
  'a chunk of SvelteKit, in two builds': {
    same: ['C0yx0l-6', 'DiwrgTda'].map(hash =>
      trace('Error: no cart', `    at e (https://shop.example/_app/immutable/nodes/0.${hash}.js:1:2)`),
    ),
    other: [],
  },
  'source files whose names end with a number': {
    same: [5, 9].map(line => trace('Error: no cart', `    at get (/app/handlers/get-order-v2.js:${line}:1)`)),
    other: [
      trace('Error: no cart', '    at get (/app/handlers/get-price-v2.js:5:1)'),
      trace('Error: no cart', '    at tax (/app/handlers/get-order-v2.js:5:1)'),
    ],
  },
  'a JavaScript stack in the message of a Java exception': {
    same: [quotesScript(472), quotesScript(35)],
    other: [quotesScript(472, 'login')],
  },
  'Node, in another folder, with other line numbers': {
    same: [express('/app', '4711', 18), express('/home/anna/shop', '815', 99)],
    other: [express('/app', '4711', 18, 'taxOf')],
  },
  'Deno, in two versions': {
    same: [deno('00_serve.js'), deno('00_serve.ts', 'listenOptionApiName')],
    other: [
      trace('AddrInUse: Address already in use (os error 98)', '    at listen (file:///app/main.ts:5:3)'),
    ],
  },
  'Next.js on the server, minified by two builds': {
    same: [
      nextServer('ab12cd34ef56', '0f3c2d1e', '2338471'),
      nextServer('ff00aa11bb22', '77aa8b9c', '4163817072'),
    ],
    other: [nextServer('ab12cd34ef56', '0f3c2d1e', '2338471', 'users/[id]')],
  },
  'Next.js in development, by webpack and Turbopack': {
    same: [
      nextDevelopment('webpack-internal:///(rsc)/./', 5),
      nextDevelopment('turbopack:///[project]/', 9),
      nextDevelopment('webpack://shop/./', 2),
    ],
    other: [trace('Error: no cart', '    at total (webpack-internal:///(rsc)/./lib/cart.ts:5:2)')],
  },
  'one browser bug in two builds and three engines': {
    same: [
      inV8('ab12cd34ef56', 'e'),
      inV8('ff00aa11bb22', 'Qe'),
      inGecko('ab12cd34ef56', 'e'),
      inGecko('ff00aa11bb22', 't'),
      inWebKit('ab12cd34ef56', 'e'),
      inWebKit('ff00aa11bb22', 'n'),
    ],
    other: [inV8('ab12cd34ef56', 'e', 'price')],
  },
  'an error class renamed by a minifier': {
    same: ['a', 'Qe'].map(type => ({ ...inV8('ab12cd34ef56', 'e'), type, message: 'declined' })),
    other: [{ ...inV8('ab12cd34ef56', 'e'), type: 'PaymentError', message: 'declined' }],
  },
  'errors in an AggregateError': {
    same: [5, 9].map(line =>
      trace(
        `AggregateError: ${line} failed`,
        `    at all (/app/src/all.js:${line}:1) {`,
        '  [errors]: [',
        '    Error: one',
        `        at one (/app/src/one.js:${line}:1),`,
        '    Error: two',
        `        at two (/app/src/two.js:${line}:1)`,
        '  ]',
        '}',
      ),
    ),
    other: [trace('AggregateError: 5 failed', '    at all (/app/src/all.js:5:1)')],
  },
  'an error with a cause, in two formats': {
    same: ['caused by: TypeError: x', '  [cause]: TypeError: x'].map(joint =>
      trace('Error: failed', '    at a (/app/src/a.js:1:2)', joint, '    at b (/app/src/b.js:3:4)'),
    ),
    other: [
      trace(
        'Error: failed',
        '    at a (/app/src/a.js:1:2)',
        'caused by: Error: y',
        '    at c (/app/src/c.js:1:1)',
      ),
    ],
  },
  Java: {
    same: [java(12, '1b2c3d4'), java(33, '5e6f7a8')],
    other: [java(12, '1b2c3d4', 'tax'), java(12, '1b2c3d4', 'total', 'label')],
  },
  Python: {
    same: [
      python('/app', 3, '4711'),
      python('/home/anna/work', 12, '815'),
      { ...python('/app', 3, '4711'), type: 'OrderError' },
    ],
    other: [python('/app', 3, '4711', 'tax')],
  },
  Go: {
    same: [go('/src/shop', 12, 'c000010000'), go('/home/anna/shop', 5, 'c00001abcd')],
    other: [go('/src/shop', 12, 'c000010000', 'Tax')],
  },
  'a recovered panic in Go': {
    same: ['panic({0x45e560?, 0xc000012345?})', 'runtime.gopanic'].map(panic => ({
      ...goRecovered(panic),
      type: 'error',
    })),
    other: [goRecovered('runtime.gopanic', 'tax')],
  },
  'Go, with type parameters': {
    same: [goGeneric(12, '.Get'), goGeneric(5, '.Get.func1-range2')],
    other: [goGeneric(12, '.Set')],
  },
  '.NET': {
    same: [dotnet('/src', 12), dotnet('/home/anna', 5)],
    other: [dotnet('/src', 12, 'Tax')],
  },
  '.NET, in lambdas and local functions': {
    same: [minimalApi(1), minimalApi(12)],
    other: [minimalApi(1, 'Total')],
  },
  'lambdas in Kotlin': {
    same: [1, 2].map(id => jvmLambdas('kt', `total$lambda$${id}$lambda$0`, `total$lambda$${id}`)),
    other: [jvmLambdas('kt', 'total$lambda$1')],
  },
  'lambdas in Scala': {
    same: [1, 2].map(id => jvmLambdas('scala', `$anonfun$total$${id}`, `$anonfun$total$${id}$adapted`)),
    other: [jvmLambdas('scala', '$anonfun$tax$1')],
  },
  'Rust, without a panic': {
    same: [rust('/root', 12), rust('/home/anna', 5)],
    other: [rust('/root', 12, 'tax')],
  },
  'Rust, on hosts with debug symbols for the C library': {
    same: [
      rust('/root', 12, 'price'),
      rust('/root', 12, 'price', ...debianLibc),
      rust('/root', 12, 'price', ...fedoraLibc),
    ],
    other: [],
  },
  'a Ruby on Rails view, compiled by two processes': {
    same: [rubyView(12), rubyView(5)],
    other: [rubyView(12, 'index')],
  },
  'a Ruby on Rails view, in the Rails log': {
    same: [railsView(12), railsView(5), railsView(5, 'show', '[6f1d2c3b] [admin] ')],
    other: [railsView(12, 'index')],
  },
  'PHP, printed or logged by Laravel': {
    same: [phpPrinted('TypeError'), laravel(''), laravel('"userId":1,')],
    other: [phpPrinted('ValueError')],
  },
  'Elixir, with the arguments of the call or its arity, in a script or in Phoenix': {
    same: [
      elixir(12),
      elixir(5, 'total(%{id: 5, price: 12.5})'),
      elixir(9, 'total(%Cart{note: "(a.b)"})'),
      elixir(12, 'total/1', '** (exit) an exception was raised:'),
    ],
    other: [elixir(12, 'tax/1')],
  },
}

const nowhere = { body: '', route: null }

t.test('the same bug has the same fingerprint in every build', async t => {
  for (const [name, { same }] of Object.entries(corpus)) {
    t.ok(same.length > 1, name)
    t.equal(new Set(same.map(each => fingerprint(each, nowhere))).size, 1, name)
  }
})

t.test('different bugs have different fingerprints', async t => {
  const bugs = Object.values(corpus).flatMap(({ same, other }) => [...same.slice(0, 1), ...other])
  t.equal(new Set(bugs.map(each => fingerprint(each, nowhere))).size, bugs.length)
})

t.test('without application frames, the message template and route determine the fingerprint', async t => {
  const of = (message: string, route: string | null, stack: string | null = null) =>
    fingerprint({ type: 'Error', message, stack }, { body: 'body', route })
  t.equal(of('order 1 failed', '/a'), of('order 2 failed', '/a'))
  t.not(of('order 1 failed', '/a'), of('order 1 failed', '/b'))
  t.not(of('order 1 failed', '/a'), of('order 1 is gone', '/a'))
  t.equal(of('', '/a'), of('body', '/a'), 'the body replaces an empty exception message')
  const ofLibraries = (line: number) => `    at f (/app/node_modules/a/b.js:${line}:1)`
  t.equal(of('x', '/a', ofLibraries(1)), of('x', '/a'), 'library frames are ignored')
})

t.test('a bug has one fingerprint per engine if the stacks differ', async t => {
  // V8 stacks continue across an `await`; JavaScriptCore (Safari) stacks end at it.
  const awaited = `${inV8('ab12cd34ef56', 'e').stack}\n    at async ${chunk('99887766aabb').replace('/cart/', '/shop/')}:1:5`
  t.not(
    fingerprint({ ...inV8('ab12cd34ef56', 'e'), stack: awaited }, nowhere),
    fingerprint(inWebKit('ab12cd34ef56', 'e'), nowhere),
  )
})
