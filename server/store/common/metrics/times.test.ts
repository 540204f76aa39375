import fc from 'fast-check'
import t from 'tap'
import { bucketFinder, bucketValueFinder } from './times.ts'

t.test('property: finds the value of each bucket, whatever the order of the times', async t => {
  const us = fc.integer({ min: -4e15, max: 4e15 })
  fc.assert(
    fc.property(us, fc.integer({ min: 1, max: 1e13 }), fc.array(us), (fromUs, bucketUs, timesUs) => {
      const boundaries = [fromUs - 1, fromUs, fromUs + bucketUs - 1, fromUs + bucketUs]
      const bucketAt = bucketFinder({ fromUs }, bucketUs)
      const valueAt = bucketValueFinder({ fromUs }, bucketUs, bucket => `bucket ${bucket}`)
      t.same(
        [...timesUs, ...boundaries].map(valueAt),
        [...timesUs, ...boundaries].map(timeUs => `bucket ${bucketAt(timeUs)}`),
      )
    }),
  )
})

t.test('asks for the value of a bucket once for successive times in it', async t => {
  const requested: number[] = []
  const valueAt = bucketValueFinder({ fromUs: 100 }, 10, bucket => requested.push(bucket))
  for (const timeUs of [100, 109, 105, 110, 119, 99]) valueAt(timeUs)
  t.same(requested, [0, 1, -1])
})
