import fc from 'fast-check'
import t from 'tap'
import { attributesJson } from './attributes-json.ts'

t.test('adds a fraction to integers that need more than 64 bits', async t => {
  const text = '18446744073709551616'
  t.equal(
    attributesJson({ a: 2 ** 64, b: [-(2 ** 65), { c: 1e20 }], [text]: `"${text}:${text},\\` }),
    `{"a":18446744073709552000.0,"b":[-36893488147419103000.0,{"c":100000000000000000000.0}],"${text}":"\\"${text}:${text},\\\\"}`,
  )
})

t.test('property: writes all other attributes like JSON.stringify', async t => {
  const integer = fc.oneof(
    fc.constantFrom(2 ** 63, -(2 ** 63), 1e18, 1e21, 1.2345678901234567e-6, -0),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -(2 ** 70), max: 2 ** 70, noNaN: true }).map(Math.trunc),
  )
  const key = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '1'.repeat(20), '"1'.repeat(20)))
  fc.assert(
    fc.property(fc.dictionary(key, fc.oneof(integer, key, fc.array(fc.oneof(integer, key)))), attributes => {
      const json = JSON.stringify(attributes)
      const written = attributesJson(attributes)
      t.equal(JSON.stringify(JSON.parse(written)), json)
      const isLong = (value: unknown) =>
        typeof value === 'number' &&
        Number.isInteger(value) &&
        Math.abs(value) < 1e21 &&
        (value >= 2 ** 64 || value <= -(2 ** 63))
      if (!Object.values(attributes).flat().some(isLong)) t.equal(written, json)
    }),
  )
})
