import fc from 'fast-check'
import t from 'tap'
import type { Json } from '../../shared/event.ts'
import { isWithin, parseJson } from './parse-json.ts'

t.test('property: counts levels and values, but not brackets and commas in strings', async () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), value => {
      const { levels, values } = sizeOf(value)
      const json = JSON.stringify(value)
      return (
        isWithin(json, { levels, values: 2 * values }) &&
        (levels === 0 || !isWithin(json, { levels: levels - 1, values: 2 * values })) &&
        (values < 2 || !isWithin(json, { levels, values: Math.ceil(values / 2) - 1 }))
      )
    }),
  )
})

t.test('integers that a number cannot represent exactly become text', async t => {
  const orderId = '1234567890123456789'
  t.same(parseJson(`{"orderId":${orderId},"nested":[-${orderId}, 9007199254740992,9007199254740991]}`), {
    orderId,
    nested: [`-${orderId}`, '9007199254740992', 9_007_199_254_740_991],
  })
  t.equal(parseJson(Buffer.from(`[1,${orderId},2]`), { start: 3, end: 22 }), orderId)
  t.same(parseJson('{"a":12345678901234567.5,"b":1234567890123456789e2,"c":0.12345678901234567}'), {
    a: Number('12345678901234567.5'),
    b: Number('1234567890123456789e2'),
    c: Number('0.12345678901234567'),
  })
  for (const invalid of [`{${orderId}:1}`, `0${orderId}`, `${orderId}"a"`, `${orderId}.`])
    t.equal(parseJson(invalid), undefined, invalid)
})

t.test('property: matches JSON.parse except for integers that a number cannot represent exactly', async t => {
  const number = fc.oneof(
    fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }).map(String),
    fc.maxSafeInteger().map(String),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map(each => JSON.stringify(each)),
  )
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(':1234567890123456789,', '"1234567890123456789', '\\', ' 1234567890123456789 '),
  )
  const space = fc.constantFrom('', ' ', '\n')
  /** JSON text, and the value that `parseJson` must return. */
  type Sample = { json: string; value: Json }
  const { sample } = fc.letrec<{ sample: Sample }>(tie => ({
    sample: fc.oneof(
      { depthSize: 'small' },
      number.map(json => {
        const isUnsafe = /^-?\d+$/.test(json) && !Number.isSafeInteger(Number(json))
        return { json, value: isUnsafe ? json : JSON.parse(json) }
      }),
      text.map(value => ({ json: JSON.stringify(value), value })),
      fc.tuple(space, fc.array(tie('sample'))).map(([gap, items]) => ({
        json: `[${gap}${items.map(({ json }) => json).join(`,${gap}`)}${gap}]`,
        value: items.map(({ value }) => value),
      })),
      fc
        .tuple(space, fc.uniqueArray(fc.tuple(text, tie('sample')), { selector: ([name]) => name }))
        .map(([gap, fields]) => ({
          json: `{${fields.map(([name, { json }]) => `${JSON.stringify(name)}${gap}:${gap}${json}`).join()}}`,
          value: Object.fromEntries(fields.map(([name, { value }]) => [name, value])),
        })),
    ),
  }))
  fc.assert(
    fc.property(sample, ({ json, value }) => {
      t.strictSame(parseJson(json), value, json)
      t.strictSame(parseJson(Buffer.from(json)), value, json)
    }),
  )
})

function sizeOf(value: unknown): { levels: number; values: number } {
  if (typeof value !== 'object' || value === null) return { levels: 0, values: 1 }
  const inner = Object.values(value).map(sizeOf)
  return {
    levels: 1 + Math.max(0, ...inner.map(each => each.levels)),
    values: 1 + inner.reduce((sum, each) => sum + each.values, 0),
  }
}
