import t from 'tap'
import { exceptionInText } from '../exception-in-text.ts'
import { stackFrames } from '../stack.ts'

t.test('parses .NET stacks', async t => {
  const trace = `Unhandled exception. System.InvalidOperationException: no cart
 ---> System.FormatException: bad
   at System.Number.Parse(String s, NumberStyles style)
   --- End of inner exception stack trace ---
   at Shop.Cart.<Total>d__5.MoveNext() in /src/Shop/Cart.cs:line 12
   at Shop.Program.Main(String[] args)`
  t.same(
    stackFrames(trace).map(({ functionName, file, line }) => [functionName, file, line]),
    [
      ['System.Number.Parse', 'System/Number.cs', null],
      ['Shop.Cart.Total', '/src/Shop/Cart.cs', 12],
      ['Shop.Program.Main', 'Shop/Program.cs', null],
    ],
  )
  t.match(exceptionInText(trace)?.exception, {
    type: 'System.InvalidOperationException',
    message: /^no cart/,
  })
})
