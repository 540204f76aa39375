import fc from 'fast-check'
import t from 'tap'
import { bucketFinder, bucketTimes } from './times.ts'

t.test('property: the times of a bucket contain exactly the times with its index', async t => {
  const us = fc.integer({ min: -4e15, max: 4e15 })
  fc.assert(
    fc.property(us, fc.integer({ min: 1, max: 1e13 }), us, (fromUs, bucketUs, timeUs) => {
      const bucketAt = bucketFinder({ fromUs, bucketUs })
      const times = bucketTimes({ fromUs, bucketUs }, timeUs)
      const index = bucketAt(timeUs)
      t.same([times.fromUs - 1, times.fromUs, timeUs, times.toUs - 1, times.toUs].map(bucketAt), [
        index - 1,
        index,
        index,
        index,
        index + 1,
      ])
    }),
  )
})
