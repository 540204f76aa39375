import fc from 'fast-check'
import t from 'tap'
import { spans } from '../../shared/range.ts'
import { bucketCount } from '../store/buckets.ts'
import { bucketMsFor, divideIntoBuckets } from './buckets.ts'

const nowMs = Date.UTC(2026, 10, 21, 14, 3, 22, 123)

t.test('relative ranges have round bucket lengths', async t => {
  const minutes = spans.map(span => divideIntoBuckets({ span }, nowMs).bucketMs / 60_000)
  t.same(minutes, [0.08333333333333333, 0.25, 0.5, 1, 5, 10, 15, 30, 60, 180, 720])
})

t.test('a relative range starts at a bucket boundary and ends now', async t => {
  const { window, bucketMs } = divideIntoBuckets({ span: '1h' }, nowMs)
  t.equal(new Date(window.fromMs).toISOString(), '2026-11-21T13:04:00.000Z')
  t.equal(window.toMs, nowMs)
  t.equal(bucketCount(window, bucketMs), 60)
})

t.test('property: one to sixty buckets cover any window', async () => {
  const instant = fc.integer({ min: -8.64e15, max: 8.64e15 })
  fc.assert(
    fc.property(instant, instant, (one, other) => {
      fc.pre(one !== other)
      const window = { fromMs: Math.min(one, other), toMs: Math.max(one, other) }
      const bucketMs = bucketMsFor(window)
      const count = bucketCount(window, bucketMs)
      return count >= 1 && count <= 60 && window.fromMs + count * bucketMs >= window.toMs
    }),
  )
})

t.test('property: a relative range starts at a bucket boundary and has one to sixty buckets', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.constantFrom(...spans), (nowMs, span) => {
      const { window, bucketMs } = divideIntoBuckets({ span }, nowMs)
      const count = bucketCount(window, bucketMs)
      return window.fromMs % bucketMs === 0 && window.toMs === nowMs && count >= 1 && count <= 60
    }),
  )
})
