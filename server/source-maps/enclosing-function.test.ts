import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { enclosingFunction } from './enclosing-function.ts'

/** `|` marks the position in the source. */
function nameAt(source: string): string | null {
  const before = source.slice(0, source.indexOf('|')).split('\n')
  return enclosingFunction(source.replace('|', ''), before.length, (before.at(-1)?.length ?? 0) + 1)
}

t.test('finds the function around a position', async t => {
  const sources: [string, string | null][] = [
    ['function total(items) {\n  return |items.price\n}', 'total'],
    ['export default async function* total<T>(items: T) {\n  |x\n}', 'total'],
    ['function one() {}\nfunction two() {\n  if (a) {\n    for (;;) {\n      |x\n    }\n  }\n}', 'two'],
    ['function one() {\n  x\n}\n\n|x', null],
    ['const total = async (items: Item[]): Promise<number> => {\n  |x\n}', 'total'],
    ['const total: Handler<A> = items =>\n  |items.price', 'total'],
    ['export const load = useCallback(async () => {\n  |x\n}, [])', 'load'],
    ['function outer() {\n  const inner = () => {\n    y\n  }\n  |x\n}', 'outer'],
    ['function outer() {\n  const inner = () => {\n    |y\n  }\n}', 'inner'],
    ['class Cart {\n  private async total(items: Item[]): Promise<number> {\n    |x\n  }\n}', 'total'],
    ['class Cart {\n  get sum() {\n    |x\n  }\n}', 'sum'],
    ['class Cart {\n  #sum = () => {\n    |x\n  }\n}', 'sum'],
    ['class Cart {\n  constructor(readonly cents: number) {\n    |x\n  }\n}', 'constructor'],
    ['export function total(\n  items: Item[],\n  rate = 1,\n): number {\n  |x\n}', 'total'],
    ['class A {\n  total(\n    items: Item[],\n  ): number {\n    |x\n  }\n}', 'total'],
    ['const handlers = {\n  submit: async event => {\n    |x\n  },\n}', 'submit'],
    ['const handlers = {\n  submit(event) {\n    |x\n  },\n}', 'submit'],
    ['exports.total = function (items) {\n  |x\n}', 'total'],
    ['function checkout(items: any) { return |sumOf(items) }', 'checkout'],
    ['const shown = items.map(item => item.|price)', 'shown'],
    ["app.get('/cart', async request => {\n  |x\n})", null],
    ['\tfunction total() {\n\t\tif (a) {\n\t\t\t|x\n\t\t}\n\t}', 'total'],
    ['if (a) {\n  |x\n}', null],
    ['describe(a, () => {\n  while (b) {\n    |x\n  }\n})', null],
    ['export default async function () {\n  |x\n}', 'default'],
    ['export default (items) => {\n  |x\n}', 'default'],
    ['|', null],
  ]
  for (const [source, name] of sources) t.equal(nameAt(source), name, source)
})

t.test('property: accepts any text and position; long text takes linear time', async t => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.integer(), fc.integer(), (text, line, column) => {
      const name = enclosingFunction(text, line, column)
      return name === null || name !== ''
    }),
  )
  for (const seed of ['(', 'a(', 'a ', '() ', '<', 'async ', ': ', 'const a = ', 'a.', '\n ', '\n)  {']) {
    const text = seed.repeat(1e6 / seed.length)
    t.not(enclosingFunction(`${text}\n${text}\n   x`, text.split('\n').length * 2 + 1, 4), '', seed)
  }
})
