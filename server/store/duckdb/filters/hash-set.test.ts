import { createHash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { createHashSet, hashLimit, mayContain } from './hash-set.ts'

const hash = fc.integer({ min: 0, max: hashLimit - 1 })

t.test('a filter contains every hash of its set', async t => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(hash),
      fc.double({ min: 0.05, max: 0.6, noNaN: true }),
      async (hashes, share) => {
        const set = createHashSet()
        for (const each of hashes) set.add(each)
        const filter = await set.toFilter({ share, maxBytes: 1_000_000 })
        t.ok(hashes.every(each => mayContain(filter, each)))
      },
    ),
  )
})

t.test('the share of set bits determines the rate of false positives', async t => {
  const set = createHashSet()
  const random = (index: number) => createHash('md5').update(`${index}`).digest().readUInt32LE() % hashLimit
  for (let index = 0; index < 10_000; index += 1) set.add(random(index))
  for (const share of [0.2, 0.4]) {
    const filter = await set.toFilter({ share, maxBytes: 1_000_000 })
    const others = Array.from({ length: 10_000 }, (_, index) => random(100_000 + index))
    const wrong = others.filter(other => mayContain(filter, other)).length / others.length
    t.ok(Math.abs(wrong - share) < 0.05, `${wrong}`)
  }
})

t.test('a missing filter may contain any hash', async t => {
  const set = createHashSet()
  for (let index = 0; index < 1000; index += 1) set.add(index)
  const filter = await set.toFilter({ share: 0.2, maxBytes: 100 })
  t.equal(filter, null)
  t.ok(mayContain(filter, 12_345))
})
