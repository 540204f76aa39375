import fc from 'fast-check'
import t from 'tap'
import { chooseFrame } from './choose-frame.ts'
import type { MappedFrame } from './map-frame.ts'

/** Creates a mapped frame in a function with this name. */
function inside(functionName: string, overrides: Partial<MappedFrame> = {}): MappedFrame {
  const content = `export function ${functionName}() {\n  throw new Error()\n}`
  const place = { file: `src/${functionName}.ts`, line: 2, column: 3, async: false }
  return { ...place, functionName, content, ...overrides }
}

t.test(
  'the function name selects a frame only if it matches exactly one and contradicts the others',
  async t => {
    const [pay, ship] = [inside('pay'), inside('ship')]
    const callsPay = inside('ship', { content: 'pay()\nexport function ship() {\n  pay()\n}', line: 3 })
    const withoutText = inside('ship', { content: null })
    const atTopLevel = inside('ship', { content: 'pay()\nthrow new Error()' })
    const cases: [title: string, name: string | null, places: MappedFrame[], chosen: MappedFrame | null][] = [
      ['matches one', 'pay', [pay, ship], pay],
      ['matches one, with its class', 'Till.pay', [pay, ship], pay],
      ['the other source contains the name elsewhere', 'pay', [pay, callsPay], pay],
      ['matches none', 'order', [pay, ship], null],
      ['matches both', 'pay', [pay, inside('pay', { file: 'src/other.ts' })], null],
      ['the other map has no source text', 'pay', [pay, withoutText], null],
      ['the function in the other source is unknown', 'pay', [pay, atTopLevel], null],
      ['no name', null, [pay, ship], null],
      ['minified', 't', [inside('t'), ship], null],
      ['a constructor', 'new pay', [pay, ship], null],
      ['not an identifier', '<anonymous>', [pay, ship], null],
      ['an alias', 'pay [as ship]', [pay, ship], null],
    ]
    for (const [title, name, places, chosen] of cases) {
      t.same(chooseFrame(name, places), chosen, title)
      t.same(chooseFrame(name, places.toReversed()), chosen, `${title}, reversed`)
    }
  },
)

t.test('maps that agree on the location are not ambiguous, and only shared details are shown', async t => {
  const pay = inside('pay')
  const place = { file: pay.file, line: pay.line, column: pay.column }
  t.same(chooseFrame('t', [pay, pay]), pay)
  t.same(chooseFrame('t', [pay, { ...pay, content: `${pay.content}\n// below` }]), pay)
  const otherCode = inside('ship', { file: pay.file, content: 'a\nb' })
  t.match(chooseFrame('t', [pay, otherCode]), { ...place, functionName: null, content: null })
  t.match(chooseFrame('t', [pay, { ...pay, content: null }]), { ...place, content: null })
  for (const overrides of [{ line: 3 }, { column: 4 }, { file: 'src/other.ts' }])
    t.equal(chooseFrame('t', [pay, { ...pay, ...overrides }]), null)
})

t.test(
  'property: the upload order does not change the result, and a single map is never ambiguous',
  async () => {
    const name = fc.constantFrom('pay', 'ship', 'order', 't', 'constructor', '$')
    const place = fc
      .record({ name, line: fc.integer({ min: 1, max: 4 }), hasText: fc.boolean() })
      .map(({ name, line, hasText }) => inside(name, { line, ...(hasText ? {} : { content: null }) }))
    const locationOf = (chosen: MappedFrame | null) => chosen && [chosen.file, chosen.line, chosen.column]
    fc.assert(
      fc.property(
        fc.option(name),
        fc.array(place, { minLength: 1, maxLength: 8 }),
        (functionName, places) => {
          const chosen = locationOf(chooseFrame(functionName, places))
          const reversed = locationOf(chooseFrame(functionName, places.toReversed()))
          const isOneOfThem =
            chosen === null || places.some(each => String(locationOf(each)) === String(chosen))
          return String(chosen) === String(reversed) && isOneOfThem && (places.length > 1 || chosen !== null)
        },
      ),
    )
  },
)
