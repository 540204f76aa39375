import t from 'tap'
import { exceptionInText } from '../exception-in-text.ts'
import { describeFrames } from '../testing.ts'
import { libraryPath } from './libraries.ts'

const stack = `** (RuntimeError) card declined
    (shop 1.4.0) lib/shop/cart.ex:12: Shop.Cart.total/1
    (shop 1.4.0) lib/shop/cart.ex:7: anonymous fn/2 in Shop.Cart.pay/1
    (elixir 1.18.4) lib/enum.ex:1714: Enum."-map/2-lists^map/1-1-"/2
    (stdlib 7.0) gen_server.erl:2345: :gen_server.try_handle_call/4
    lib/run.exs:3: (file)`

t.test('parses Elixir frames', async t => {
  t.same(describeFrames(stack), [
    'Shop.Cart.total/1 lib/shop/cart.ex 12',
    'anonymous fn/2 in Shop.Cart.pay/1 lib/shop/cart.ex 7',
    'Enum."-map/2-lists^map/1-1-"/2 lib/enum.ex 1714',
    ':gen_server.try_handle_call/4 gen_server.erl 2345',
    '(file) lib/run.exs 3',
  ])
})

t.test('removes the arguments of a call, which can be long', async t => {
  const long = `%{note: "${'x'.repeat(5000)}", price: 12.5}`
  const names: Record<string, string> = {
    'Shop.Cart.total(nil, [])': 'Shop.Cart.total()',
    [`Shop.Cart.total(${long})`]: 'Shop.Cart.total()',
    [`anonymous fn(${long}, (1)) in Shop.Cart.pay/1`]: 'anonymous fn() in Shop.Cart.pay/1',
    'Shop.Cart.total(%{note: "trunc': 'Shop.Cart.total()',
    'Shop.Cart (module)': 'Shop.Cart (module)',
  }
  for (const [printed, name] of Object.entries(names))
    t.same(describeFrames(`    (shop 1.4.0) lib/shop/cart.ex:12: ${printed}`), [
      `${name} lib/shop/cart.ex 12`,
    ])
})

t.test('finds Elixir exceptions in messages', async t => {
  const head = 'GenServer Shop.Till terminating'
  t.match(exceptionInText(stack), {
    exception: { type: 'RuntimeError', message: 'card declined', stack },
    summary: '** (RuntimeError) card declined',
  })
  t.match(exceptionInText(`${head}\n${stack}\nLast message: :pay`), {
    exception: { type: 'RuntimeError', message: 'card declined' },
    summary: `${head}\n** (RuntimeError) card declined`,
  })
  t.match(exceptionInText(stack.replace('card', 'the\n  card'))?.exception.message, 'the\n  card declined')
  t.equal(exceptionInText('compiling\nlib/shop.ex:12: warning: unused variable'), null)
})

t.test('reads the exception that ended a process, as printed by Phoenix', async t => {
  const head = '#PID<0.1.0> running ShopWeb.Endpoint (stream id 1) terminated\nRequest: GET /'
  const exit = `** (exit) an exception was raised:\n    ** (RuntimeError) card declined`
  const text = `${head}\n${exit}${stack.slice(stack.indexOf('\n')).replaceAll('\n', '\n    ')}`
  t.same(exceptionInText(text), {
    exception: { type: 'RuntimeError', message: 'card declined', stack: text },
    summary: `${head}\n${exit}`,
  })
  t.same(describeFrames(text), describeFrames(stack))
  const exited = stack.replace('(RuntimeError) card', '(exit) exited in: pay()\n    ** (EXIT) card')
  t.match(exceptionInText(exited)?.exception.type, 'exit')
})

t.test('distinguishes the application from Elixir, Erlang and common packages', async t => {
  for (const path of ['lib/enum.ex', 'gen_server.erl', 'lib/phoenix/router.ex', 'lib/ecto/repo.ex'])
    t.equal(libraryPath(path), path)
  for (const path of ['lib/shop/cart.ex', 'src/shop.erl', 'lib/phoenix_shop.ex', 'lib/shop_web/router.ex'])
    t.equal(libraryPath(path), null)
})
