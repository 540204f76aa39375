import fc from 'fast-check'
import t from 'tap'
import { durationEdgesMs } from '../duration-edges.ts'
import { binOf, durationOf } from './duration-bins.ts'
import { addRequest, bandCounts, countsOf, emptySketch } from './request-sketch.ts'

const durationMs = fc.oneof(
  fc.double({ min: -3, max: 9, noNaN: true }).map(power => Math.max(0.001, 10 ** power)),
  fc.constantFrom(...durationEdgesMs, 1e9),
  fc.integer({ min: 1, max: 10_000 }),
)

function isClose(actual: number | null, expected: number): boolean {
  return actual !== null && Math.abs(actual - expected) <= expected * 0.01
}

t.test('property: the duration of a bin is within 1% of the durations in it', async () => {
  fc.assert(fc.property(durationMs, ms => isClose(durationOf(binOf(ms)), ms)))
})

t.test('property: a longer duration is never in a lower bin', async () => {
  fc.assert(fc.property(durationMs, durationMs, (a, b) => binOf(Math.min(a, b)) <= binOf(Math.max(a, b))))
})

t.test('property: bands count durations exactly, including right below an edge', async () => {
  const durations = fc.array(fc.tuple(durationMs, fc.constantFrom(1, 1 - Number.EPSILON)))
  fc.assert(
    fc.property(durations, factors => {
      const sketch = emptySketch()
      const expected = [0, ...durationEdgesMs].map(() => 0)
      for (const [ms, factor] of factors) {
        const band = durationEdgesMs.filter(edge => ms * factor >= edge).length
        expected[band] = (expected[band] ?? 0) + 1
        addRequest(sketch, ms * factor, false)
      }
      return bandCounts(sketch).join() === expected.join()
    }),
  )
})

t.test('property: percentiles are within 1% of the exact percentiles', async () => {
  fc.assert(
    fc.property(fc.array(durationMs, { minLength: 1, maxLength: 200 }), durations => {
      const sketch = emptySketch()
      for (const ms of durations) addRequest(sketch, ms, false)
      const { requests, p50Ms, p95Ms, p99Ms } = countsOf(sketch)
      const sorted = durations.toSorted((a, b) => a - b)
      const exact = (share: number) => {
        const position = (sorted.length - 1) * share
        const below = sorted[Math.floor(position)] ?? Number.NaN
        const above = sorted[Math.ceil(position)] ?? Number.NaN
        return below + (above - below) * (position - Math.floor(position))
      }
      return (
        requests === durations.length &&
        isClose(p50Ms, exact(0.5)) &&
        isClose(p95Ms, exact(0.95)) &&
        isClose(p99Ms, exact(0.99))
      )
    }),
  )
})

t.test('durations beyond the bins are counted in the first and last bin', async t => {
  for (const ms of [-1, 0, 0.0009]) t.equal(durationOf(binOf(ms)), 0)
  for (const ms of [1e9, 1e12, Number.MAX_VALUE, Number.POSITIVE_INFINITY])
    t.ok(isClose(durationOf(binOf(ms)), 1e9))
})
