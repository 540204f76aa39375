import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { createJoiner, type Joined } from './join-lines.ts'

function join(text: string): Joined[] {
  const joined: Joined[] = []
  const joiner = createJoiner(each => joined.push(each))
  for (const [index, line] of text.split('\n').entries())
    joiner.push({ text: line, position: index, timeMs: 0 })
  joiner.flush()
  return joined
}

const textsOf = (joined: Joined[]) => joined.map(({ lines }) => lines.map(({ text }) => text).join('\n'))

/** Adds unrelated lines before and after. */
const among = (...texts: string[]) => ['ready on 3000', ...texts, 'GET / 200 in 12ms']

const inspected = `Error: boom
    at checkout (/app/cart.js:1:9)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)
    ... 4 lines matching cause stack trace ...
    at node:internal/main/run_main_module:28:49 {
  code: 'E',
  digest: '2338471',
  [cause]: TypeError: inner
      at total (/app/cart.js:1:46)
      at node:internal/main/run_main_module:28:49 {
    status: 402
  }
}`
const aggregate = `AggregateError: many
    at node:internal/main/run_main_module:28:49 {
  [errors]: [
    Error: a
        at node:internal/main/run_main_module:28:49,
    Error: b
        at node:internal/main/run_main_module:28:49
  ]
}`
const severalLines = `PrismaClientKnownRequestError: 
Invalid \`prisma.order.create()\` invocation:

No such table
    at order (/app/order.js:5:3) {
  code: 'P2021'
}`
const prismaQuery = ` ⨯ PrismaClientValidationError: 
Invalid \`prisma.order.findMany()\` invocation in
/app/order.ts:12:30

   9 
→ 12 return prisma.order.findMany({
       where: {
         id: "a",
         ~~
?        name?: String
       }
     })

error: Argument \`id\`: Invalid value provided. Expected Int.
  -->  schema.prisma:10
   | 
Validation Error Count: 1
    at order (/app/order.js:5:3) {
  digest: '2338471'
}`
const inDevelopment = ` ⨯ Error: boom
    at Page (app/page.tsx:4:9)
  2 | export default function Page() {
  3 |   const a = 1
> 4 |   throw new Error('boom')
    |         ^
  5 | } {
  digest: '2338471'
}`
const uncaught = `/app/cart.js:3
    throw new Error('boom')
    ^

Error: boom
    at total (/app/cart.js:3:11) {
  code: 'E'
}

Node.js v20.20.0`
const unhandledEvent = `node:events:497
      throw er; // Unhandled 'error' event
      ^

Error: listen EADDRINUSE: address already in use :::3000
    at Server.listen (node:net:1817:16)
Emitted 'error' event on Server instance at:
    at emitErrorNT (node:net:1796:8) {
  code: 'EADDRINUSE'
}

Node.js v20.20.0`
const uncaughtText = `[eval]:1
throw "x"
^
x
(Use \`node --trace-uncaught ...\` to show where the exception was thrown)

Node.js v20.20.0`
const java = `12:00:01.000 ERROR c.s.Cart - checkout failed
java.lang.IllegalStateException: order failed
\tat com.shop.Checkout.pay(Checkout.java:14)
\tSuppressed: java.lang.RuntimeException: not closed
\t\tat com.shop.Pool.close(Pool.java:5)
Caused by: java.lang.NullPointerException
\tat com.shop.Price.plus(Price.java:8)
\t... 12 more`
const spring = `2026-11-25T18:40:01.000Z ERROR 1 --- [shop] [exec-1] com.shop.Checkout : Checkout failed

java.lang.IllegalStateException: declined
\tat com.shop.Cart.pay(Cart.java:20) ~[classes/:na]
Caused by: java.io.IOException: reset
\tat com.shop.Net.read(Net.java:2) ~[classes/:na]`
const springServlet = `2026-11-25T18:40:01.000Z ERROR 1 --- [exec-1] o.a.c.c.C.[dispatcherServlet] : Servlet.service() threw exception [Request processing failed: java.lang.IllegalStateException: declined] with root cause

java.lang.IllegalStateException: declined
\tat com.shop.Cart.pay(Cart.java:20) ~[classes/:na]`
const javaMain = `Exception in thread "main" java.lang.IllegalStateException: order failed
\tat com.shop.Checkout.pay(Checkout.java:14)`
const python = `ERROR:root:checkout failed
Traceback (most recent call last):
  File "/app/cart.py", line 3, in total
    return cart["total"]
           ~~~~^^^^^^^^^
KeyError: 'total'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/main.py", line 9, in <module>
    pay()
shop.PaymentError: no total`
const pythonGroup = `  + Exception Group Traceback (most recent call last):
  |   File "/app/main.py", line 3, in <module>
  | ExceptionGroup: two (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | ValueError: 1
    +------------------------------------`
const loguru = `2026-11-26 20:04:05.123 | ERROR    | __main__:<module>:7 - checkout failed
Traceback (most recent call last):

> File "/app/cart.py", line 7, in <module>
    pay()
    └ <function pay at 0x7f>

  File "/app/cart.py", line 3, in pay
    1/0

ZeroDivisionError: division by zero`
const celery = `[2026-11-26 20:04:05,123: ERROR/ForkPoolWorker-1] Task shop.pay[0a1b] raised unexpected: ValueError('x')
Traceback (most recent call last):
  File "/app/cart.py", line 3, in pay
    raise ValueError('x')
ValueError: x`
const rust = `thread 'main' panicked at src/main.rs:3:5:
no cart

for order 7
stack backtrace:
   0: rust_begin_unwind
             at /rustc/90b35a623cc8/library/std/src/panicking.rs:645:5
   1: shop::total
             at ./src/main.rs:3:5
   2: __libc_start_main
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.`

const anyhow = `Error: no cart

Caused by:
    0: order 7 failed
    1: connection refused

Stack backtrace:
   0: anyhow::error::<impl anyhow::Error>::msg
             at /root/.cargo/registry/src/index-6f/anyhow-1.0.75/src/backtrace.rs:27:14
   1: shop::cart::total
             at ./src/cart.rs:3:5
   2: __libc_start_main`

t.test('joins the lines of Rust panics', async t => {
  const note = 'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace'
  const hidden = `thread '<unnamed>' (42) panicked at src/main.rs:3:5:\nno cart\n${note}`
  const old = `thread 'main' panicked at 'no cart', src/main.rs:3:5\n${note}`
  const bare = "thread 'main' panicked at src/main.rs:3:5:\nno cart"
  const full = `${bare}
stack backtrace:
   0:     0x564d866162ba - std[e28293b1aa0f68bd]::panicking::panic_handler
                               at /rustc/90b35a623cc8/library/std/src/panicking.rs:689:5
  23:                0x0 - <unknown>`
  const texts = among(rust, full, hidden, old, bare, bare)
  const joined = join(texts.join('\n'))
  t.same(textsOf(joined), texts)
  t.same(
    joined.map(({ hasStack }) => hasStack),
    [false, true, true, true, true, true, true, false],
  )
})

const go = `panic: runtime error: index out of range [5] with length 3 [recovered]
\tpanic: again

goroutine 19 [running]:
main.recovered.func1()
\t/src/shop/main.go:9 +0x45
panic({0x45e560?, 0xc000012345?})
\t/usr/local/go/src/runtime/panic.go:884 +0x212
example.com/shop/cart.(*Cart).Total(0xc00001, {0xc000, 0x3, 0x3})
\t/src/shop/cart/cart.go:12 +0x1d
created by main.main in goroutine 1
\t/src/shop/main.go:22 +0x5f

goroutine 5 [select]:
main.other()
\t/src/shop/other.go:1 +0x1d
exit status 2`
/** Go's frames without arguments, as in zap's console output and pkg/errors. */
const goFrames = `main.pay
\t/app/main.go:10
github.com/acme/shop/cart.(*Cart).Pay.func1
\t/app/cart/cart.go:25
main.Map[...]
\t/app/map.go:7
net/http.HandlerFunc.ServeHTTP
\t/usr/local/go/src/net/http/server.go:2136`
const goexit = 'runtime.goexit\n\t/usr/local/go/src/runtime/asm_amd64.s:1650'
const zap = `2026-11-29T10:10:20.123Z\tERROR\tapp/main.go:10\tfailed to pay\t{"error": "declined"}
${goFrames}`
/** `%+v` prints the cause first, and a stack below each message. */
const goWrapped = `2026/11/29 10:10:20 declined
${goFrames}
${goexit}
failed to pay
the order
${goFrames}
${goexit}`
const dotnet = `Unhandled exception. System.InvalidOperationException: no cart
   at Shop.Cart.Total() in /src/Shop/Cart.cs:line 12
   at Shop.Program.Main(String[] args)`
const dotnetInner = `System.InvalidOperationException: outer
 ---> System.AggregateException: inner (a)
 ---> System.ArgumentException: a
   at Shop.Cart..ctor(String name) in /src/Shop/Cart.cs:line 12
   --- End of inner exception stack trace ---
   at Shop.Cart.Total()
 ---> (Inner Exception #1) System.Exception: b<---

   --- End of inner exception stack trace ---
   at Shop.Program.Pay()
--- End of stack trace from previous location ---
   at Shop.Program.Main(String[] args)`
const javaDatabase = `12:00:01.000 ERROR c.s.Orders - not saved
org.springframework.dao.DuplicateKeyException: not saved
\tat com.shop.Orders.save(Orders.java:14)
Caused by: org.postgresql.util.PSQLException: ERROR: duplicate key value violates unique constraint "orders"
  Detail: Key (id)=(1) already exists.
\tat org.postgresql.core.v3.QueryExecutorImpl.receive(QueryExecutorImpl.java:5)
\t... 12 more
Caused by: java.io.IOException: first line

last line
\tat com.shop.Net.read(Net.java:2)`

const ruby = `E, [2026-11-26T13:37:08.254170 #42] ERROR -- shop: payment failed: app/cart.rb:5:in 'Cart#pay': declined (Declined)
\tfrom app/cart.rb:7:in '<main>'
app/cart.rb:4:in 'Cart#total': undefined method 'price' for nil (NoMethodError)

  def total = nil.price
                 ^^^^^^
\tfrom app/cart.rb:5:in 'Cart#pay'`
const rubyBacktrace = `E, [2026-11-26T13:37:08.254170 #42] ERROR -- shop: declined (Declined)
app/cart.rb:5:in \`pay'
app/cart.rb:7:in \`<main>'`
const rails = `F, [2026-11-26T13:37:08.254170 #42] FATAL -- :   
NoMethodError (undefined method 'price' for nil):
  
app/controllers/carts_controller.rb:5:in 'show'
app/middleware/shop.rb:9:in 'call'`
const railsView = `F, [2026-11-26T13:37:08.254170 #42] FATAL -- :   
ActionView::Template::Error (undefined method 'price' for nil):
    1: <p>
    2:   <%= cart.price %>
  
app/views/carts/_cart.html.erb:2
app/views/carts/show.html.erb:1`
const railsCause = `Information for: ActionView::Template::Error (undefined method 'price' for nil):
    1: <%= cart.price %>
  
app/views/carts/show.html.erb:1

Information for cause: NoMethodError (undefined method 'price' for nil):
  
app/views/carts/show.html.erb:1`
const railsTags = rails.replaceAll(/^(F.* -- : )?/gm, '$1[6f1d2c3b-0a4e] [admin] ')
const railsViewTags = `[6f1d2c3b-0a4e]   
[6f1d2c3b-0a4e] ActionView::Template::Error (undefined method 'price' for nil):
[6f1d2c3b-0a4e]     1: <%= cart.price rescue NoMethodError
[6f1d2c3b-0a4e]     2:     or raise NoCartError %>
[6f1d2c3b-0a4e]   
[6f1d2c3b-0a4e] app/views/carts/_cart.html.erb:2
[6f1d2c3b-0a4e] app/views/carts/show.html.erb:1`
const railsCauseTags = railsCause.replaceAll(/^(?=$|\s|app)/gm, '[6f1d2c3b-0a4e] ')
const php = `[26-Nov-2026 13:37:09 UTC] PHP Fatal error:  Uncaught LogicException: no price in /app/shop.php:5
Stack trace:
#0 /app/shop.php(6): Shop\\Cart->total()
#1 {main}

Next Shop\\Declined: declined in /app/shop.php:6
Stack trace:
#0 {main}
  thrown in /app/shop.php on line 6`
const laravel = `[2026-11-26 13:37:09] shop.ERROR: failed {"exception":"[object] (Shop\\\\Declined(code: 0): declined at /app/shop.php:6)
[stacktrace]
#0 /app/main.php(4): Shop\\\\Cart->pay()
#1 {main}

[previous exception] [object] (LogicException(code: 5): no price at /app/shop.php:5)
[stacktrace]
#0 {main}
"} `

const elixir = `13:37:08.254 [error] GenServer Shop.Till terminating
** (RuntimeError) card declined
    (shop 1.4.0) lib/shop/cart.ex:12: Shop.Cart.total/1
    (stdlib 7.0) gen_server.erl:2345: :gen_server.try_handle_call/4
    lib/run.exs:3: (file)`
const elixirScript = `** (KeyError) key :price not found in:
    nil
    lib/run.exs:3: (file)`

for (const [name, text] of Object.entries({
  inspected,
  aggregate,
  severalLines,
  prismaQuery,
  inDevelopment,
  uncaught,
  unhandledEvent,
  uncaughtText,
  java,
  spring,
  springServlet,
  javaMain,
  python,
  pythonGroup,
  loguru,
  celery,
  go,
  zap,
  goWrapped,
  dotnet,
  dotnetInner,
  javaDatabase,
  ruby,
  rubyBacktrace,
  rails,
  railsView,
  railsCause,
  railsTags,
  railsViewTags,
  railsCauseTags,
  php,
  laravel,
  elixir,
  elixirScript,
  anyhow,
  'prefixed by Next.js': ` ⨯ unhandledRejection: ${inspected}`,
  'in colours': inspected.replaceAll(/^(\s*)(\S.*)$/gm, '$1\u001b[31m$2\u001b[39m'),
  'without a stack': '[Error: boom] {\n  digest: "1"\n}',
  'an object': "{\n  a: { b: 1 },\n  s: 'x'\n}",
})) {
  t.test(`joins into one event: ${name}`, async t => {
    t.same(textsOf(join(among(text).join('\n'))), among(text), 'between other lines')
    t.same(textsOf(join(`${text}\n${text}`)), [text, text], 'two in a row')
  })
}

t.test('detects stack traces and fatal exceptions', async t => {
  const kind = (text: string) => {
    const [{ hasStack, isFatal } = { hasStack: null, isFatal: null }] = join(text)
    return [hasStack, isFatal]
  }
  for (const text of [inspected, java, spring, python, ruby, php, laravel, elixir, elixirScript])
    t.same(kind(text), [true, false])
  for (const text of [uncaught, uncaughtText, javaMain, go]) t.same(kind(text), [true, true])
  for (const text of ['Error: boom', 'panic: not really', 'ready']) t.same(kind(text), [false, false])
})

t.test('does not join unrelated lines', async t => {
  const lines = [
    '   ▲ Next.js 15.5.0',
    '   - Local: http://localhost:3000',
    '',
    ' ✓ Ready in 2s',
    ' GET / 200 in 34ms',
    'Error: nothing more is known',
    'GET /cart 500',
    'Error: nothing more is known',
    'retrying',
    '/app/cart.js:3',
    'is where it is',
    '12:00:01 ERROR failed',
    '',
    'retrying',
    '12:00:02 ERROR failed',
    '',
    'Error: nothing more is known',
    '',
    '12:00:03 ERROR failed',
    'panic: none',
  ]
  t.same(textsOf(join(lines.join('\n'))), lines)
})

t.test('lines after an error are separate events if no stack trace follows', async t => {
  const lines = ['Error: boom', ...Array.from({ length: 30 }, (_, index) => `line ${index}`)]
  t.same(textsOf(join(lines.join('\n'))), lines)
})

t.test('joins a message with its stack even if the name of the error does not end in Error', async t => {
  const error = 'PaymentDeclined: no money\non the card\n    at pay (/app/cart.js:1:2)'
  t.same(textsOf(join(among(error).join('\n'))), among(error))
  t.same(textsOf(join(`CartService: started\n${error}`)), ['CartService: started', error])
  t.same(textsOf(join('CartService: started\nready')), ['CartService: started', 'ready'])
})

t.test('joins all lines of a Ruby message, and the line above it if that line logs a failure', async t => {
  const error = `app/cart.rb:5:in 'Cart#pay': no cart (NoCart)
second line
\tfrom app/cart.rb:7:in '<main>'
app/cart.rb:4:in 'Cart#total': DETAIL (KeyError)
cause line
\tfrom app/cart.rb:5:in 'Cart#pay'`
  t.same(textsOf(join(`paid\n${error}\nready`)), ['paid', error, 'ready'])
  const single = "a.rb:1:in '<main>': no cart (NoCart)"
  t.match(join(`paid\n${single}\nready`), [{ hasStack: false }, { hasStack: true }, { hasStack: false }])
  const logged = `ERROR payment failed\n${error}`
  t.same(textsOf(join(logged)), [logged])
})

t.test('joins the frames of Go with the line above them', async t => {
  for (const head of [
    'declined',
    'io.EOF',
    '2026/11/29 10:10:20 failed: no cart',
    'E1129 10:10:20.123 1 a.go:1] x',
  ]) {
    const error = `${head}\n${goFrames}`
    const joined = join(among(error).join('\n'))
    t.same(textsOf(joined), among(error))
    t.match(joined[1], { hasStack: true, isFatal: false })
  }
  t.same(textsOf(join(`${zap}\n${zap}\ndeclined\n${goFrames}`)), [zap, zap, `declined\n${goFrames}`])
  const separate = `declined\n${goFrames}\n${goexit}`
  t.same(textsOf(join(`${separate}\n${separate}`)), [separate, separate], 'without a time')
})

t.test('a line that looks like the name of a Go function is an event if no position follows', async t => {
  for (const lines of [
    ['ready', 'cart.json', 'served'],
    ['cart.json', 'order.json', 'order.json'],
    ['ERROR failed', 'cart.json', 'Error: no cart\n    at total (/app/cart.js:1:2)'],
    [zap, 'cart.json', 'ready', 'cart.json'],
    [zap, 'cart.json', `order.json\n${goFrames}`],
    ['Error: boom\n    at total (/app/cart.js:1:2)', 'cart.json', 'ready'],
  ])
    t.same(textsOf(join(lines.join('\n'))), lines)
})

t.test('the frames of Go are not a stack trace without an error above them', async t => {
  t.match(join(goFrames), [{ lines: goFrames.split('\n').map(text => ({ text })), hasStack: false }])
})

t.test('a panic below the stack of a recovered panic is a separate event', async t => {
  const dump = 'goroutine 6 [running]:\nmain.pay()\n\t/src/shop/main.go:9 +0x65'
  const recovered = `2026/11/26 12:00:01 recovered: boom\n${dump}`
  const panic = `panic: two\nlines\n\n${dump}`
  t.same(textsOf(join(`${recovered}\n${panic}`)), [recovered, panic])
})

t.test('joins a Python exception whose class is defined in a function', async t => {
  const text = python.replace('shop.PaymentError', 'shop.pay.<locals>.PaymentError')
  t.same(textsOf(join(among(text).join('\n'))), among(text))
})

t.test('joins the lines that database drivers add to the message of a Python exception', async t => {
  const text = `${python}
DETAIL:  Key (id)=(1) already exists.

[SQL: INSERT INTO orders (id) VALUES (%(id)s)]
[parameters: {'id': 1}]
(Background on this error at: https://sqlalche.me/e/20/gkpj)`
  t.same(textsOf(join(among(text).join('\n'))), among(text))
})

t.test('joins the lines of a Python message if some of them are indented', async t => {
  const pydantic = `Traceback (most recent call last):
  File "/app/user.py", line 5, in <module>
    User(age='old')
pydantic_core._pydantic_core.ValidationError: 2 validation errors for User
name
  Field required [type=missing, input_value={'age': 'old'}, input_type=dict]
    For further information visit https://errors.pydantic.dev/2.9/v/missing
age
  Input should be a valid integer [type=int_parsing, input_value='old', input_type=str]`
  const jsonschema = `Traceback (most recent call last):
  File "/app/price.py", line 3, in <module>
    validate(price, schema)
jsonschema.exceptions.ValidationError: 'a' is not of type 'number'

Failed validating 'type' in schema['properties']['price']:
    {'type': 'number'}

On instance['price']:
    'a'`
  for (const text of [pydantic, jsonschema]) {
    t.same(textsOf(join(among(text).join('\n'))), among(text))
    t.same(textsOf(join(`${text}\nready\n${text}`)), [text, 'ready', text])
  }
})

t.test('does not join indented lines to a Python traceback if they are below other output', async t => {
  const error = `Traceback (most recent call last):
  File "/app/cart.py", line 5, in <module>
    price[1]
KeyError: 1`
  const next = ['starting job 2', 'loading config:', '  region: eu', '  size: 3']
  t.same(textsOf(join([error, ...next].join('\n'))), [error, ...next])
})

t.test('lines after a cause are separate events if no frame follows', async t => {
  const error =
    'java.lang.Error: x\n\tat com.shop.Cart.pay(Cart.java:2)\nCaused by: java.io.IOException: reset'
  for (const next of [
    ['ready'],
    ['ready', '12:00:01 ERROR failed'],
    ['Error: other\n    at pay (/app/cart.js:1:2)'],
  ])
    t.same(textsOf(join([error, ...next].join('\n'))), [error, ...next])
})

t.test('splits a very long stack trace into several events', async t => {
  const frames = Array.from({ length: 5000 }, (_, index) => `    at f${index} (/app/x.js:1:1)`)
  const joined = join(`Error: deep\n${frames.join('\n')}`)
  t.ok(joined.length > 1 && joined.length < 10)
  for (const { hasStack, lines } of joined) t.ok(hasStack && lines.length <= 1000)
})

t.test('emits every line once and in order', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...[
        inspected,
        aggregate,
        severalLines,
        inDevelopment,
        uncaught,
        java,
        spring,
        springServlet,
        python,
        pythonGroup,
        go,
        zap,
        goWrapped,
        dotnet,
      ].flatMap(text => text.split('\n')),
    ),
    fc.string({ unit: anyCharacter }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.nat(60), (pieces, pauseAt) => {
      const lines = pieces
        .flatMap(each => each.split('\n'))
        .map((text, position) => ({ text, position, timeMs: 0 }))
      const emitted: typeof lines = []
      const joiner = createJoiner(joined => emitted.push(...joined.lines))
      for (const line of lines) {
        joiner.push(line)
        if (line.position === pauseAt) joiner.flush()
      }
      joiner.flush()
      return emitted.length === lines.length && emitted.every((line, index) => line === lines[index])
    }),
    { numRuns: 1000 },
  )
})

t.test('inspects each line a limited number of times', async t => {
  for (const text of [
    'ready',
    'Error: boom',
    'Error: boom\nand on\nand on',
    'panic: x\nand on',
    '/app/x.js:1\n/app/x.js:2',
    'Error: boom\n    at x (/app/x.js:1:1)',
    'Traceback (most recent call last):\n  File "x.py"',
  ]) {
    let reads = 0
    const joiner = createJoiner(() => {})
    const lines = text.split('\n').map(line => ({
      position: 0,
      timeMs: 0,
      get text() {
        reads += 1
        return line
      },
    }))
    for (let time = 0; time < 5000; time++) for (const line of lines) joiner.push(line)
    t.ok(reads < 5000 * lines.length * 30, text)
  }
})
