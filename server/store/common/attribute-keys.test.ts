import fc from 'fast-check'
import t from 'tap'
import { isSearchable } from '../../../shared/attribute-path.ts'
import { attributeKeys } from './attribute-keys.ts'

const key = fc
  .array(fc.constantFrom('a', 'b', '', '0'), { minLength: 1, maxLength: 5 })
  .map(parts => parts.join('.'))

t.test('property: a path is searchable if a search for it looks up its keys', async t => {
  fc.assert(
    fc.property(fc.array(key, { minLength: 1, maxLength: 10 }), keys => {
      const found = attributeKeys(keys.join('.')).map(each => JSON.stringify(each))
      return isSearchable(keys) === found.includes(JSON.stringify(keys))
    }),
    { numRuns: 2000 },
  )
  t.pass('2,000 paths')
})
