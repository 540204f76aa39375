import t from 'tap'
import type { Json } from '../../shared/event.ts'
import { platformOf, readFrameList } from './frame-list.ts'

t.test('reads frames from loggers and error reporters', async t => {
  const forms: [Json, object][] = [
    [
      { func: 'main.total', source: 'cart.go', line: '12' },
      { function: 'main.total', file: 'cart.go', line: 12 },
    ],
    [
      { file: '/app/a.js', line: 3, column: 7, function: 'total' },
      { function: 'total', file: '/app/a.js', line: 3, column: 7 },
    ],
    [
      { file: 'a.rb', lineNumber: 3, method: 'total', inProject: true },
      { function: 'total', file: 'a.rb', line: 3 },
    ],
    [{ class: 'com.shop.Cart', method: 'total', file: 'Cart.java', line: 4 }, { module: 'com.shop.Cart' }],
    [{ file: '/a.php', line: 4, class: 'Shop\\Cart', function: 'total' }, { function: 'Shop\\Cart::total' }],
    [{ file: 'a.js', line: 4, className: 'Cart', functionName: 'total' }, { function: 'Cart.total' }],
    [
      { filename: 'a.py', lineno: 2, name: 'total' },
      { function: 'total', file: 'a.py', line: 2 },
    ],
    ['/app/cart.php:5', { function: null, file: '/app/cart.php', line: 5 }],
    ['C:\\app\\cart.php:5', { function: null, file: 'C:\\app\\cart.php', line: 5 }],
  ]
  for (const [frame, expected] of forms) t.match(readFrameList([frame]), [expected], JSON.stringify(frame))
  for (const list of [
    [],
    [5],
    [null],
    [{ file: 'a.js' }],
    [{ name: 'Ada', line: 3 }],
    ['a: b:5'],
    [['/a.js:1']],
  ])
    t.equal(readFrameList(list), null, JSON.stringify(list))
})

t.test('recognises the runtime by the file extension', async t => {
  const of = (file: string) => platformOf(readFrameList([{ file, line: 1 }]) ?? [])
  t.same(['A.kt', 'a.py', 'a.go', 'a.cs', 'a.js', 'a'].map(of), [
    'java',
    'python',
    'go',
    'csharp',
    'other',
    'other',
  ])
})
