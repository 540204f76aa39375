import fc from 'fast-check'
import t from 'tap'
import { readPosition, writePosition } from './position.ts'

const ids = fc.array(fc.nat({ max: Number.MAX_SAFE_INTEGER }), { minLength: 1, maxLength: 64 })

t.test('positions round-trip', async () => {
  fc.assert(fc.property(ids, list => t.same(readPosition(writePosition(list)), list)))
})

t.test('reads only valid positions, and returns null for other text', async t => {
  for (const text of [
    '',
    '1.',
    '.1',
    '-1',
    '1e3',
    '99999999999999999',
    '9007199254740993',
    '1.'.repeat(64) + 1,
  ])
    t.equal(readPosition(text), null, text)
  fc.assert(
    fc.property(fc.string(), text => {
      const read = readPosition(text)
      if (read !== null) t.ok(read.every(Number.isSafeInteger))
    }),
  )
})
