import t, { type Test } from 'tap'
import type { Attributes } from '../../../shared/event.ts'
import { stackFrames } from '../../stacks/stack.ts'
import { stackText } from '../../stacks/stack-text.ts'
import { eventRecord } from './event-record.ts'
import { readFrames } from './frames.ts'
import { normalise, sender } from './testing.ts'

const nowMs = Date.parse('2026-11-23T08:02:00Z')

type Frame = Attributes
/** An exception with its frames, the innermost call first. */
type Thrown = { type: string; value: string; module?: string; frames: Frame[] }

/** Returns an event in Sentry's format, which lists the innermost call and the thrown exception last. */
function eventOf(platform: string, ...chain: Thrown[]): Attributes {
  const values = chain.map(({ frames, ...exception }) => ({
    ...exception,
    stacktrace: { frames: frames.toReversed() },
  }))
  return { platform, exception: { values: values.toReversed() } }
}

const readEvent = (event: Attributes) => normalise(eventRecord(event, sender), 'sentry', nowMs)
const readText = (text: string) => normalise({ level: 'error', msg: text }, 'ndjson', nowMs)

/** Checks that an event and a printed error are occurrences of one failure. */
function checkSame(t: Test, event: Attributes, printed: string | object, title: string): void {
  const text = typeof printed === 'string' ? readText(printed) : normalise({ err: printed }, 'ndjson', nowMs)
  const sent = readEvent(event)
  t.type(text.fingerprint, 'string', title)
  t.equal(sent.fingerprint, text.fingerprint, `${title}\n${sent.exception?.stack}`)
}

const js = (filename: string, name: string | null, lineno: number, colno = 1): Frame =>
  name === null ? { filename, lineno, colno } : { filename, function: name, lineno, colno }

t.test('Ruby and PHP: an event and a log line belong to the same failure', async t => {
  const ruby = eventOf('ruby', {
    type: 'NoCart',
    value: 'no cart',
    frames: [
      { abs_path: '/app/models/cart.rb', function: 'block (2 levels) in total', lineno: 5 },
      { abs_path: '/usr/lib/ruby/gems/3.1.0/gems/rails-7.1.0/lib/a.rb', function: 'call', lineno: 1 },
      { abs_path: '/app/main.rb', function: '<main>', lineno: 2 },
    ],
  })
  const rubyText = `/app/models/cart.rb:5:in \`block (2 levels) in total': no cart (NoCart)
\tfrom /usr/lib/ruby/gems/3.1.0/gems/rails-7.1.0/lib/a.rb:1:in \`call'
\tfrom /app/main.rb:2:in \`<main>'`
  checkSame(t, ruby, rubyText, 'Ruby')
  const php = eventOf('php', {
    type: 'Shop\\NoCart',
    value: 'no cart',
    frames: [
      { abs_path: '/app/src/Cart.php', function: 'Shop\\Cart::total', lineno: 5 },
      { abs_path: '/app/vendor/laravel/framework/Router.php', function: 'array_map', lineno: 1 },
      { abs_path: '/app/main.php', lineno: 2 },
    ],
  })
  const phpText = `Shop\\NoCart: no cart in /app/src/Cart.php:5
Stack trace:
#0 /app/vendor/laravel/framework/Router.php(1): Shop\\Cart->total()
#1 /app/main.php(2): array_map(Object(Closure), Array)
#2 {main}`
  checkSame(t, php, phpText, 'PHP')
})

t.test('Node: an event and a log line belong to the same failure', async t => {
  const thrown = {
    type: 'TypeError',
    value: 'no total for order 7',
    frames: [
      js('/app/src/cart.js', 'Cart.total', 7, 11),
      js('/app/src/checkout.mjs', 'checkout', 20, 3),
      js('/app/src/list.js', '?', 4, 5),
      js('/app/src/list.js', null, 9, 5),
      js('/app/src/order.js', 'new Order', 3, 4),
      js('/app/src/order.js', 'Order.save [as store]', 30, 4),
      js('/app/app/(shop)/page.js', 'Page', 8, 4),
      js('/app/src/main.js', 'Object.?', 1, 1),
      js('/app/node_modules/router/index.js', 'next', 163, 13),
      js('node:internal/process/task_queues', 'process.processTicksAndRejections', 95, 5),
    ],
  }
  const printed = `TypeError: no total for order 8
    at Cart.total (/app/src/cart.js:7:11)
    at async checkout (file:///app/src/checkout.mjs:20:3)
    at /app/src/list.js:4:5
    at /app/src/list.js:9:5
    at new Order (/app/src/order.js:3:4)
    at Order.save [as store] (/app/src/order.js:30:4)
    at Page (/app/app/(shop)/page.js:8:4)
    at Object.<anonymous> (/app/src/main.js:1:1)
    at next (/app/node_modules/router/index.js:163:13)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`
  checkSame(t, eventOf('node', thrown), printed, 'thrown')

  const cause = { type: 'RangeError', value: 'negative', frames: [js('/app/src/price.js', 'price', 2, 3)] }
  const stack = `${printed}\ncaused by: RangeError: negative\n    at price (/app/src/price.js:2:3)`
  const logged = { type: 'TypeError', message: 'no total for order 8: negative', stack }
  checkSame(t, eventOf('node', thrown, cause), logged, 'with a cause, as pino writes it')
})

t.test('browsers: an event and a stack from any engine belong to the same failure', async t => {
  const file = 'https://shop.example/src/cart.js'
  const event = eventOf('javascript', {
    type: 'TypeError',
    value: 'cart is empty',
    frames: [
      js(file, 'total', 7, 11),
      js(file, 'HTMLButtonElement.<anonymous>', 20, 3),
      js('https://shop.example/src/app.js', '?', 3, 4),
      { filename: '<anonymous>', function: 'Array.forEach' },
      { filename: '[native code]', function: 'forEach' },
    ],
  })
  const chrome = `TypeError: cart is empty
    at total (${file}:7:11)
    at HTMLButtonElement.<anonymous> (${file}:20:3)
    at https://shop.example/src/app.js:3:4`
  const firefox = `total@${file}:7:11\n@${file}:20:3\n@https://shop.example/src/app.js:3:4\n`
  for (const stack of [chrome, firefox]) {
    checkSame(t, event, { type: 'TypeError', message: 'cart is empty', stack }, stack)
  }
})

const py = (abs_path: string, name: string, lineno: number, context_line: string | null = null): Frame => ({
  filename: abs_path.slice(1),
  abs_path,
  function: name,
  lineno,
  context_line,
})

t.test('Python: an event with causes belongs to the same failure as a log line', async t => {
  const thrown = {
    type: 'ValueError',
    value: 'bad amount',
    frames: [
      py('/app/pay.py', 'outer', 8, '        raise ValueError("bad amount") from e\n'),
      py('/usr/lib/python3/dist-packages/flask/app.py', 'dispatch', 90),
      py('/app/main.py', '<module>', 12),
    ],
  }
  const cause = {
    type: 'ZeroDivisionError',
    value: 'division by zero',
    frames: [py('/app/pay.py', 'inner', 5, '    return 1/n'), py('/app/pay.py', 'outer', 7)],
  }
  const printed = `Traceback (most recent call last):
  File "/app/pay.py", line 7, in outer
    inner(0)
  File "/app/pay.py", line 5, in inner
    return 1/n
           ~^~
ZeroDivisionError: division by zero

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/app/main.py", line 12, in <module>
    run()
  File "/usr/lib/python3/dist-packages/flask/app.py", line 90, in dispatch
    view()
  File "/app/pay.py", line 8, in outer
    raise ValueError("bad amount") from e
ValueError: bad amount`
  checkSame(t, eventOf('python', thrown, cause), printed, 'direct cause')
  const during = printed.replace(
    'The above exception was the direct cause of the following exception:',
    'During handling of the above exception, another exception occurred:',
  )
  checkSame(t, eventOf('python', thrown, cause), during, 'context')
  const custom = { ...thrown, type: 'PayError', module: 'shop.errors' }
  const qualified = `shop.errors.PayError: bad amount`
  checkSame(
    t,
    eventOf('python', custom),
    printed.slice(printed.lastIndexOf('Traceback')).replace('ValueError: bad amount', qualified),
    'custom class',
  )
})

const jvm = (module: string, name: string, filename: string, lineno: number | null): Frame => ({
  module,
  function: name,
  filename,
  lineno,
})

t.test(
  'Java: an event belongs to the same failure as a log line, which omits frames that the exception and its cause share',
  async t => {
    const shared = [
      jvm('com.shop.Checkout', 'pay', 'Checkout.java', 40),
      jvm('com.shop.Main', 'main', 'Main.java', 5),
    ]
    const thrown = {
      type: 'IllegalStateException',
      module: 'java.lang',
      value: 'no total',
      frames: [
        jvm('com.shop.Cart', 'total', 'Cart.java', 12),
        jvm('com.shop.Cart$Item', 'lambda$price$0', 'Cart.java', 30),
        jvm('java.util.ArrayList', 'forEach', 'ArrayList.java', 1511),
        jvm('jdk.internal.reflect.DirectMethodHandleAccessor', 'invoke', 'Unknown Source', null),
        ...shared,
      ],
    }
    const cause = {
      type: 'PriceException',
      module: 'com.shop',
      value: 'negative: -3',
      frames: [
        jvm('com.shop.Price', 'of', 'Price.java', 7),
        jvm('com.shop.Cart', 'total', 'Cart.java', 10),
        ...thrown.frames.slice(1),
      ],
    }
    const printed = `java.lang.IllegalStateException: no total
	at com.shop.Cart.total(Cart.java:12)
	at com.shop.Cart$Item.lambda$price$0(Cart.java:30)
	at java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
	at java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(Unknown Source)
	at com.shop.Checkout.pay(Checkout.java:40)
	at com.shop.Main.main(Main.java:5)`
    checkSame(t, eventOf('java', thrown), printed, 'thrown')
    checkSame(
      t,
      eventOf('java', thrown, cause),
      `${printed}
Caused by: com.shop.PriceException: negative: -3
	at com.shop.Price.of(Price.java:7)
	at com.shop.Cart.total(Cart.java:10)
	... 5 more`,
      'with a cause',
    )
  },
)

t.test('Java: an event with suppressed exceptions belongs to the same failure as a log line', async t => {
  const main = jvm('com.shop.Main', 'main', 'Main.java', 5)
  const pay = (line: number) => jvm('com.shop.Checkout', 'pay', 'Checkout.java', line)
  const linked = (type: string, id: number, parentId: number | null, frames: Frame[], kind = 'chained') => ({
    type,
    module: 'com.shop',
    value: '',
    stacktrace: { frames: [...frames, main].toReversed() },
    mechanism: { type: kind, exception_id: id, ...(parentId === null ? {} : { parent_id: parentId }) },
  })
  const values = [
    linked('Thrown', 0, null, [jvm('com.shop.Cart', 'total', 'Cart.java', 12), pay(40)]),
    linked('NotClosed', 1, 0, [jvm('com.shop.Pool', 'close', 'Pool.java', 5), pay(39)], 'suppressed'),
    linked('Disk', 2, 1, [jvm('com.shop.Disk', 'flush', 'Disk.java', 3), pay(39)]),
    // The SDK writes the id of the previous exception, although the same exception suppressed both.
    linked('NotReleased', 3, 2, [jvm('com.shop.Lock', 'close', 'Lock.java', 8), pay(39)], 'suppressed'),
    linked('Price', 4, 0, [jvm('com.shop.Price', 'of', 'Price.java', 7), pay(40)]),
  ]
  const event = { platform: 'java', exception: { values: values.toReversed() } }
  const printed = `com.shop.Thrown
	at com.shop.Cart.total(Cart.java:12)
	at com.shop.Checkout.pay(Checkout.java:40)
	at com.shop.Main.main(Main.java:5)
	Suppressed: com.shop.NotClosed
		at com.shop.Pool.close(Pool.java:5)
		at com.shop.Checkout.pay(Checkout.java:39)
		... 1 more
	Caused by: com.shop.Disk
		at com.shop.Disk.flush(Disk.java:3)
		... 2 more
	Suppressed: com.shop.NotReleased
		at com.shop.Lock.close(Lock.java:8)
		at com.shop.Checkout.pay(Checkout.java:39)
		... 1 more
Caused by: com.shop.Price
	at com.shop.Price.of(Price.java:7)
	... 2 more`
  t.equal(readEvent(event).exception?.stack, printed)
  checkSame(t, event, { type: 'com.shop.Thrown', message: '', stack: printed }, 'suppressed')
})

const goFrame = (module: string, name: string, abs_path: string, lineno: number): Frame => ({
  module,
  function: name,
  abs_path,
  filename: abs_path.replace(/^\/app\//, ''),
  lineno,
})

t.test('Go: an event belongs to the same failure as the output of a panic', async t => {
  const frames = [
    goFrame('example.com/shop/cart', '(*Cart).Total', '/app/cart/cart.go', 12),
    goFrame('example.com/shop/cart', '(*Cart).Total.func1', '/app/cart/cart.go', 20),
    goFrame('main', 'main', '/app/main.go', 7),
  ]
  const stack = `goroutine 1 [running]:
example.com/shop/cart.(*Cart).Total(0xc000012345)
	/app/cart/cart.go:12 +0x1d
example.com/shop/cart.(*Cart).Total.func1(...)
	/app/cart/cart.go:20
main.main()
	/app/main.go:7 +0x2a
exit status 2`
  checkSame(
    t,
    eventOf('go', {
      type: 'runtime.boundsError',
      value: 'runtime error: index out of range [5] with length 3',
      frames,
    }),
    `panic: runtime error: index out of range [5] with length 3\n\n${stack}`,
    'runtime error',
  )
})

const cs = (fields: Frame): Frame => fields

t.test('.NET: an event with inner exceptions belongs to the same failure as a log line', async t => {
  const file = '/src/Shop/Cart.cs'
  const thrown = {
    type: 'System.InvalidOperationException',
    module: 'System.Private.CoreLib, Version=8.0.0.0',
    value: 'No total',
    frames: [
      cs({ module: 'Shop.Cart', function: 'Total', abs_path: file, filename: 'Cart.cs', lineno: 12 }),
      cs({
        function: 'async Task<int> Shop.Checkout.PayAsync(Order order, int count)',
        filename: '/src/Shop/Checkout.cs',
        lineno: 40,
      }),
      cs({
        function: 'Dictionary<string, int> Shop.Checkout.Prices()+(Item item) => { }',
        filename: '/src/Shop/Checkout.cs',
        lineno: 44,
      }),
      cs({ module: 'System.Threading.Tasks.Task', function: 'Run' }),
      cs({ module: 'Shop.Program', function: 'Main' }),
    ],
  }
  const cause = {
    type: 'Shop.PriceException',
    value: 'Negative',
    frames: [cs({ module: 'Shop.Price', function: 'Of', filename: '/src/Shop/Price.cs', lineno: 7 })],
  }
  const below = `   at Shop.Cart.Total(Item[] items) in ${file}:line 12
   at Shop.Checkout.PayAsync(Order order, Int32 count) in /src/Shop/Checkout.cs:line 40
   at Shop.Checkout.Prices() in /src/Shop/Checkout.cs:line 44
   at System.Threading.Tasks.Task.Run()
   at Shop.Program.Main(String[] args)`
  checkSame(t, eventOf('csharp', thrown), `System.InvalidOperationException: No total\n${below}`, 'thrown')
  const printed = `System.InvalidOperationException: No total
 ---> Shop.PriceException: Negative
   at Shop.Price.Of(Int32 amount) in /src/Shop/Price.cs:line 7
   --- End of inner exception stack trace ---
${below}`
  const sent = eventOf('csharp', thrown, cause)
  checkSame(t, sent, printed, 'with an inner exception')
  const logged = { type: 'System.InvalidOperationException', message: 'No total', stack: printed }
  checkSame(t, sent, logged, 'with an inner exception, as OpenTelemetry sends it')
  checkSame(t, sent, printed.replace('PriceException: Negative', 'NoPrice: No price'), 'another cause')
})

t.test('.NET: reads lambdas and nested classes as they are printed', async t => {
  const frames = [
    { module: 'Shop.Cart+Item', function: 'Price { <lambda> }' },
    { module: 'Shop.Cart', function: 'Total', filename: 'Cart.cs', lineno: 3 },
  ]
  const chain = [{ type: 'E', message: '', module: null, frames: readFrames({ frames }, 'csharp') }]
  t.match(stackFrames(stackText(chain, 'csharp') ?? ''), [
    { functionName: 'Shop.Cart.Total', file: 'Cart.cs', line: 3 },
    { functionName: 'Shop.Cart.Item.Price', file: 'Shop/Cart/Item.cs' },
  ])
})

t.test('the stack parser reads the printed frames of every platform', async t => {
  const frames = [
    { abs_path: '/app/a.x', filename: 'a.x', function: 'one', module: 'shop.A', lineno: 1, colno: 2 },
    { abs_path: '/app/b.x', filename: 'b.x', function: 'two', module: 'shop.B', lineno: 3, colno: 4 },
  ]
  const extensions: Record<string, string> = { java: 'java', go: 'go', csharp: 'cs' }
  const platforms = [
    ...['node', 'javascript', 'python', 'java', 'go', 'csharp', 'ruby', 'php', 'elixir', 'other', ''],
    ...['constructor', '__proto__', 'toString'],
  ]
  for (const platform of platforms) {
    const renamed = JSON.parse(JSON.stringify(frames).replaceAll('.x', `.${extensions[platform] ?? 'x'}`))
    const chain = [
      { type: 'Error', message: 'm', module: null, frames: readFrames({ frames: renamed }, platform) },
    ]
    const found = stackFrames(stackText(chain, platform) ?? '')
    t.match(found, [{ line: 3 }, { line: 1 }], platform)
    t.match(
      found.map(({ functionName }) => functionName),
      [/two/, /one/],
      platform,
    )
  }
})

t.test('accepts missing frames, and frames without valid fields', async t => {
  const empty = { type: 'Error', message: 'm', module: null, frames: [] }
  for (const platform of ['node', 'python', 'java', 'go', 'csharp', 'ruby']) {
    t.equal(stackText([empty, empty], platform), null)
    for (const given of [undefined, null, 7, {}, { frames: null }, { frames: {} }]) {
      t.same(readFrames(given, platform), [])
    }
    const frames = readFrames({ frames: [null, {}, 7, { lineno: 'x' }, { function: 'f' }] }, platform)
    t.type(stackText([{ ...empty, frames }], platform), 'string')
  }
})
