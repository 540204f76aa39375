import fc from 'fast-check'
import t from 'tap'
import { isWithin } from './parse-json.ts'

t.test('property: brackets and commas in strings are not counted', async () => {
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

function sizeOf(value: unknown): { levels: number; values: number } {
  if (typeof value !== 'object' || value === null) return { levels: 0, values: 1 }
  const inner = Object.values(value).map(sizeOf)
  return {
    levels: 1 + Math.max(0, ...inner.map(each => each.levels)),
    values: 1 + inner.reduce((sum, each) => sum + each.values, 0),
  }
}
