import fc from 'fast-check'
import t from 'tap'
import { spanLengthMs, spans } from '../../shared/range.ts'
import { bucketCount } from '../store/buckets.ts'
import { bucketMsFor, divideIntoBuckets } from './buckets.ts'

const nowMs = Date.UTC(2026, 10, 21, 14, 3, 22, 123)

t.test('relative ranges have round bucket lengths', async t => {
  const minutes = spans.map(span => divideIntoBuckets({ span }, nowMs).bucketMs / 60_000)
  t.same(minutes, [0.08333333333333333, 0.25, 0.5, 1, 5, 10, 15, 30, 60, 180, 720])
})

t.test('a relative range starts at a bucket boundary and ends now', async t => {
  const { window, bucketMs } = divideIntoBuckets({ span: '1h' }, nowMs)
  t.equal(new Date(window.fromMs).toISOString(), '2026-11-21T13:03:00.000Z')
  t.equal(window.toMs, nowMs)
  t.equal(bucketCount(window, bucketMs), 61)
})

t.test('the window of a relative range keeps its buckets as an absolute range', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 4e10, max: 4e12 }), fc.constantFrom(...spans), (nowMs, span) => {
      const { window, bucketMs } = divideIntoBuckets({ span }, nowMs)
      return divideIntoBuckets(window, nowMs).bucketMs === bucketMs
    }),
  )
})

t.test('property: at most sixty buckets and a part of one cover any window', async () => {
  const instant = fc.integer({ min: -8.64e15, max: 8.64e15 })
  fc.assert(
    fc.property(instant, instant, (one, other) => {
      fc.pre(one !== other)
      const window = { fromMs: Math.min(one, other), toMs: Math.max(one, other) }
      const bucketMs = bucketMsFor(window)
      const count = bucketCount(window, bucketMs)
      return count >= 1 && count <= 61 && window.fromMs + count * bucketMs >= window.toMs
    }),
  )
})

t.test(
  'property: a relative range contains the time that its name says, and at most one bucket more',
  async () => {
    fc.assert(
      fc.property(fc.integer({ min: 4e10, max: 4e12 }), fc.constantFrom(...spans), (nowMs, span) => {
        const { window, bucketMs } = divideIntoBuckets({ span }, nowMs)
        const extraMs = nowMs - spanLengthMs(span) - window.fromMs
        const isRound = window.fromMs % bucketMs === 0
        return isRound && window.toMs === nowMs && extraMs >= 0 && extraMs < Math.max(bucketMs, 1_800_000)
      }),
    )
  },
)

t.test(
  'property: a relative range is the same window for charts with different numbers of buckets',
  async () => {
    fc.assert(
      fc.property(fc.integer({ min: 4e10, max: 4e12 }), fc.constantFrom(...spans), (nowMs, span) => {
        const { window } = divideIntoBuckets({ span }, nowMs)
        const { window: coarse, bucketMs } = divideIntoBuckets({ span }, nowMs, 30)
        return window.fromMs === coarse.fromMs && bucketCount(coarse, bucketMs) <= 31
      }),
    )
  },
)
