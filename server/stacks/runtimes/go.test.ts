import t from 'tap'
import { exceptionInText } from '../exception-in-text.ts'
import { stackFrames } from '../stack.ts'

const panic = `panic: runtime error: index out of range [5] with length 3 [recovered]
	panic: again

goroutine 19 gp=0xc000007880 m=0 mp=0x5a1 [running]:
main.recovered.func1()
	/src/shop/main.go:9 +0x45
panic({0x45e560?, 0xc000012345?})
	/usr/local/go/src/runtime/panic.go:884 +0x212
example.com/shop/cart.(*Cart).Total(0xc00001, {0xc000, 0x3, 0x3})
	/src/shop/cart/cart.go:12 +0x1d
main.sum[...](...)
	/src/shop/main.go:30
main.main.func2()
	C:/src/shop/main.go:31 +0x1d
created by main.main in goroutine 1
	/src/shop/main.go:22 +0x5f

goroutine 5 [select]:
main.other()
	/src/shop/other.go:1 +0x1d
exit status 2`

t.test('parses the frames of the goroutine that panicked, below the panic', async t => {
  t.same(
    stackFrames(panic).map(({ functionName, file, line, async }) => [functionName, file, line, async]),
    [
      ['example.com/shop/cart.(*Cart).Total', '/src/shop/cart/cart.go', 12, false],
      ['main.sum[...]', '/src/shop/main.go', 30, false],
      ['main.main.func2', 'C:/src/shop/main.go', 31, false],
      ['main.main', '/src/shop/main.go', 22, true],
    ],
  )
  t.match(exceptionInText(panic)?.exception, {
    type: 'runtime.Error',
    message: 'index out of range [5] with length 3',
  })
})

t.test('the frames of zap and pkg/errors also start below the panic', async t => {
  const above = 'no cart\nmain.recovered.func1.1\n\t/src/shop/recovery.go:5'
  const below = 'main.total\n\t/src/shop/cart.go:9\nmain.main\n\t/src/shop/main.go:3'
  for (const called of ['runtime.gopanic', 'runtime.gopanic(0x1)']) {
    const text = `${above}\n${called}\n\t/usr/local/go/src/runtime/panic.go:770\n${below}`
    t.same(
      stackFrames(text).map(({ functionName }) => functionName),
      ['main.total', 'main.main'],
    )
    t.equal(exceptionInText(text)?.exception.message, 'no cart')
  }
  t.equal(stackFrames(`${above}\nruntime.gopanics\n\t/src/a.go:1\n${below}`).length, 4)
})

t.test('reads the error from each form of panic output', async t => {
  const trace = 'goroutine 1 [running]:\nmain.main()\n\t/src/main.go:5 +0x1d'
  const forms: [string, string, string][] = [
    [`panic: boom\n\n${trace}`, 'panic', 'boom'],
    [
      `fatal error: all goroutines are asleep - deadlock!\n\n${trace}`,
      'fatal error',
      'all goroutines are asleep - deadlock!',
    ],
    [`2024/01/01 10:00:00 http: panic serving 10.0.0.1:5000: boom\n${trace}`, 'panic', 'boom'],
    [`panic: two\nlines\n[signal SIGSEGV: segmentation violation]\n\n${trace}`, 'panic', 'two\nlines'],
    [`recovered: boom\n${trace}`, 'panic', 'recovered: boom'],
    ['no cart\nexample.com/shop.total\n\t/src/cart.go:5\nmain.main\n\t/src/main.go:9', 'error', 'no cart'],
  ]
  for (const [text, type, message] of forms)
    t.match(exceptionInText(text)?.exception, { type, message }, text)
})

t.test('frames without an error are not an exception', async t => {
  const frames = 'main.pay\n\t/app/main.go:10\nmain.main\n\t/app/main.go:25'
  t.equal(exceptionInText(frames), null)
  t.equal(exceptionInText(`\n${frames}`), null)
  t.equal(stackFrames(frames).length, 2)
})
