import t from 'tap'
import { exceptionInText } from '../exception-in-text.ts'
import { stackFrames } from '../stack.ts'

t.test('parses .NET stacks', async t => {
  const trace = `Unhandled exception. System.InvalidOperationException: no cart
 ---> System.FormatException: bad
   at System.Number.Parse(String s, NumberStyles style)
   --- End of inner exception stack trace ---
   at Shop.Cart.<Total>d__5.MoveNext() in /src/Shop/Cart.cs:line 12
   at Shop.Program.Main(String[] args)
 ---> (Inner Exception #1) System.Exception: other
   at Shop.Cart.Items() in /src/Shop/Cart.cs:line 20<---
`
  t.same(
    stackFrames(trace).map(({ functionName, file, line }) => [functionName, file, line]),
    [
      ['Shop.Cart.Total', '/src/Shop/Cart.cs', 12],
      ['Shop.Program.Main', 'Shop/Program.cs', null],
      ['System.Number.Parse', 'System/Number.cs', null],
      ['Shop.Cart.Items', '/src/Shop/Cart.cs', 20],
    ],
  )
  t.match(exceptionInText(trace)?.exception, {
    type: 'System.InvalidOperationException',
    message: 'no cart',
  })
})

t.test('the message ends before the inner exceptions', async t => {
  const frames =
    '   at Shop.Cart.Items()\n   --- End of inner exception stack trace ---\n   at Shop.Cart.First()'
  for (const inner of ['\n ---> System.FormatException: bad', ' ---> System.FormatException: bad']) {
    const found = exceptionInText(
      `Failed to pay\nSystem.Exception: a ---> b\nor c${inner}${inner}\n${frames}`,
    )
    t.match(found, {
      exception: { type: 'System.Exception', message: 'a ---> b\nor c' },
      summary: 'Failed to pay\nSystem.Exception: a ---> b\nor c',
    })
  }
})

t.test('parses constructors, iterators, compiled expressions and names that are not ASCII', async t => {
  const trace = `System.ArgumentException: no name
   at Shop.Cart..ctor(String name) in /src/Shop/Cart.cs:line 3
   at Shop.Prices..cctor()
   at Shop.Cart.Items()+MoveNext() in /src/Shop/Cart.cs:line 9
   at Shop.Fees.total@12.Invoke(Unit unit) in /src/Shop/Fees.fs:line 12
   at Shop.Zahlung.Prüfen(Kunde kunde)
   at Program.<>c.<<<Main>$>b__0_3>d.MoveNext() in /src/Program.cs:line 9
   at Shop.Cart.<<Total>g__Sum|5_1>d.MoveNext()
   at Shop.Cart.<Find>d__6\`1.MoveNext()
   at Shop.Fees.total@13-2.Invoke(Unit unit)
   at Shop.Cart._Closure$__._Lambda$__1-0(Object item) in C:\\src\\Cart.vb:line 7
   at lambda_method5(Closure, Object)`
  t.same(
    stackFrames(trace).map(({ functionName, file, line }) => [functionName, file, line]),
    [
      ['Shop.Cart..ctor', '/src/Shop/Cart.cs', 3],
      ['Shop.Prices..cctor', 'Shop/Prices.cs', null],
      ['Shop.Cart.Items', '/src/Shop/Cart.cs', 9],
      ['Shop.Fees.total@12.Invoke', '/src/Shop/Fees.fs', 12],
      ['Shop.Zahlung.Prüfen', 'Shop/Zahlung.cs', null],
      ['Program.<>c.<<Main>$>b__0_3', '/src/Program.cs', 9],
      ['Shop.Cart.<Total>g__Sum|5_1', 'Shop/Cart.cs', null],
      ['Shop.Cart.Find', 'Shop/Cart.cs', null],
      ['Shop.Fees.total@13-2.Invoke', 'Shop/Fees.cs', null],
      ['Shop.Cart._Closure$__._Lambda$__1-0', 'C:\\src\\Cart.vb', 7],
      ['lambda_method5', '<compiled>', null],
    ],
  )
  t.match(exceptionInText(trace)?.exception, { type: 'System.ArgumentException', message: 'no name' })
})
