import fc from 'fast-check'
import t from 'tap'
import { longGrams, longTextLength, shortGrams, wholeSpan, wholeText } from './grams.ts'

const printable = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map(code => String.fromCharCode(code)),
  maxLength: 60,
  size: 'max',
})

function hashesOf(text: string, hash: typeof shortGrams): Set<number> {
  const hashes = new Set<number>()
  hash(wholeSpan(text), each => hashes.add(each))
  return hashes
}

t.test('text contains all grams of each of its parts', async t => {
  fc.assert(
    fc.property(printable, printable, printable, (before, part, after) => {
      for (const grams of [shortGrams, longGrams]) {
        const whole = hashesOf(before + part + after, grams)
        t.ok([...hashesOf(part, grams)].every(hash => whole.has(hash)))
      }
    }),
  )
})

t.test('text contains grams if and only if it has at least the minimum length', async t => {
  fc.assert(
    fc.property(printable, part => {
      t.equal(hashesOf(part, shortGrams).size > 0, part.length >= 4)
      t.equal(hashesOf(part, longGrams).size > 0, part.length >= longTextLength)
    }),
  )
})

t.test('grams do not span characters other than printable ASCII', async t => {
  for (const separator of ['\n', '\0', '\x7f', '\xe9']) {
    t.same(hashesOf(`card${separator}declined`, shortGrams), hashesOf(`card\ndeclined`, shortGrams))
    t.same(hashesOf(`abc${separator}abc`, shortGrams), new Set())
  }
})

t.test('chooses fewer than half of the long grams', async t => {
  const ids = Array.from({ length: 1000 }, (_, index) => `${index * 7919}`.padStart(32, '0123456789abcdef'))
  const sizes = ids.map(id => hashesOf(id, longGrams).size)
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length
  t.ok(mean < 10, `${mean} of 25`)
})

t.test('hashes never change, because stored filters contain them', async t => {
  const text = 'request 2776893fd973a7cb0ce3d5d0c818a674'
  t.same([...hashesOf(text, shortGrams)].slice(0, 3), [1331840, 1684731, 3100663])
  t.same([...hashesOf(text, longGrams)], [859668, 3139488, 131414, 2103845, 1771219])
  t.same([...hashesOf('req-1', wholeText)], [240357, 801406, 3862606, 1810029, 967902])
})
