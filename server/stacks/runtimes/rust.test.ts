import t from 'tap'
import { exceptionInText } from '../exception-in-text.ts'
import { describeFrames } from '../testing.ts'
import { libraryPath } from './libraries.ts'

const head = `thread 'main' panicked at src/main.rs:3:5:
no cart
for order 7`
const stack = `${head}
stack backtrace:
   0: rust_begin_unwind
             at /rustc/90b35a623cc8/library/std/src/panicking.rs:645:5
   1: core::panicking::panic_fmt
             at /rustc/90b35a623cc8/library/core/src/panicking.rs:72:14
   2: shop::cart::total::h0123456789abcdef
             at ./src/cart.rs:12:9
   3: call_with_cart
             at ./native/cart.cpp:7:1
   4: main
   5: __libc_start_main
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.`

t.test('parses the backtrace of a Rust panic', async t => {
  t.same(describeFrames(stack), [
    'rust_begin_unwind /rustc/90b35a623cc8/library/std/src/panicking.rs 645',
    'core::panicking::panic_fmt /rustc/90b35a623cc8/library/core/src/panicking.rs 72',
    'shop::cart::total src/cart.rs 12',
    'call_with_cart native/cart.cpp 7',
  ])
  const full = `${head}\nstack backtrace:\n   0:     0x55d0aa - <shop[e28293b1aa0f68bd]::Cart as shop::Total>::total\n           at C:\\shop\\src\\cart.rs:12:9`
  t.same(describeFrames(full), ['<shop::Cart as shop::Total>::total C:\\shop\\src\\cart.rs 12'])
})

t.test('a panic without a backtrace has one frame, at the position of the panic', async t => {
  t.same(describeFrames(head), [' src/main.rs 3'])
  t.same(describeFrames("\nthread '<unnamed>' (42) panicked at src/main.rs:3:5:\nno cart"), [
    ' src/main.rs 3',
  ])
})

t.test('finds Rust panics in messages', async t => {
  const message = 'no cart\nfor order 7'
  t.match(exceptionInText(stack), { exception: { type: 'panic', message, stack }, summary: head })
  const note = 'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace'
  t.match(exceptionInText(`${head}\n${note}`), { exception: { type: 'panic', message }, summary: head })
  const old = "thread 'main' panicked at 'no cart', src/main.rs:3:5"
  t.match(exceptionInText(`${old}\n${note}`), {
    exception: { type: 'panic', message: 'no cart' },
    summary: old,
  })
})

t.test('parses backtraces without a panic', async t => {
  const frames = `   0: anyhow::error::<impl anyhow::Error>::msg
             at /root/.cargo/registry/src/index-6f/anyhow-1.0.75/src/backtrace.rs:27:14
   1: shop::cart::total
             at ./src/cart.rs:3:5
   2: sqlite3_step
             at ./sqlite3/sqlite3.c:12:7
   3: __libc_start_call_main
             at ./csu/../sysdeps/nptl/libc_start_call_main.h:58:16`
  const described = [
    'anyhow::error::<impl anyhow::Error>::msg /root/.cargo/registry/src/index-6f/anyhow-1.0.75/src/backtrace.rs 27',
    'shop::cart::total src/cart.rs 3',
    'sqlite3_step sqlite3/sqlite3.c 12',
    '__libc_start_call_main csu/../sysdeps/nptl/libc_start_call_main.h 58',
  ]
  const message = 'no cart\n\nCaused by:\n    0: order 7 failed\n    1: connection refused'
  const anyhow = `Error: ${message}\n\nStack backtrace:\n${frames}`
  for (const text of [frames, anyhow]) t.same(describeFrames(text), described)
  t.equal(exceptionInText(anyhow)?.exception.type, 'Error')
  t.equal(exceptionInText(anyhow)?.exception.message, message)
  const colorEyre =
    'Error: \n   0: no cart\n\n   8: shop::main::h0123456789abcdef\n      at /app/src/main.rs:9'
  t.same(describeFrames(colorEyre), ['shop::main /app/src/main.rs 9'])
  t.equal(exceptionInText(colorEyre)?.exception.message, '0: no cart')
})

t.test('finds a panic below another log line', async t => {
  t.same(describeFrames(`starting\n${stack}`), describeFrames(stack))
  t.match(exceptionInText(`starting\n${stack}`), {
    exception: { type: 'panic' },
    summary: `starting\n${head}`,
  })
})

t.test('reads a JavaScript error that quotes a panic', async t => {
  const text = `Error: Command failed\n${head}\n    at run (/app/run.js:1:2)`
  t.match(exceptionInText(text), { exception: { type: 'Error' } })
  t.same(describeFrames(`Error: Command failed\n${stack}\n    at run (/app/run.js:1:2)`), [
    'run /app/run.js 1',
  ])
})

t.test('recognises the standard library and crates', async t => {
  const registry = '/usr/local/cargo/registry/src/index.crates.io-6f17d22bba15001f'
  t.equal(libraryPath('/rustc/90b35a623cc8/library/std/src/panicking.rs'), 'std/src/panicking.rs')
  t.equal(libraryPath(`${registry}/tokio-1.47.1/src/task.rs`), 'tokio-1.47.1/src/task.rs')
  t.equal(libraryPath('/root/.cargo/git/checkouts/tokio-9f/1a2b/src/task.rs'), '1a2b/src/task.rs')
  t.equal(libraryPath('src/registry/src/cart.rs'), null)
  const libc = ['csu/../sysdeps/nptl/libc_start_call_main.h', '/build/glibc-Szl/glibc-2.31/stdlib/abort.c']
  for (const path of libc) t.equal(libraryPath(path), path)
  t.equal(libraryPath('/usr/src/app/sqlite3/sqlite3.c'), null)
})
