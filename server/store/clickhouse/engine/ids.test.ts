import fc from 'fast-check'
import t from 'tap'
import { acceptedMs } from '../../common/time.ts'
import { createIds, maxReplicas } from './ids.ts'

const startMs = Date.UTC(2026, 10, 21)

t.test('property: ids increase, are unique among replicas, and contain the time of acceptance', async () => {
  const replica = fc.nat(maxReplicas - 1)
  /** Pairs of a clock change in milliseconds, which may be negative, and the number of ids to take after it. */
  const steps = fc.array(fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.nat(200)), { maxLength: 20 })
  fc.assert(
    fc.property(fc.uniqueArray(replica, { minLength: 2, maxLength: 2 }), steps, (replicas, steps) => {
      const all = replicas.map(replica => {
        let nowMs = startMs
        let newestMs = startMs
        const ids = createIds(
          () => replica,
          () => nowMs,
        )
        return steps.flatMap(([ms, count]) => {
          nowMs += ms
          newestMs = Math.max(newestMs, nowMs)
          const taken = ids.take(count)
          // A millisecond has a limited number of ids, so further ids come from later milliseconds.
          return taken.every(id => acceptedMs(id) <= newestMs + 200) ? taken : []
        })
      })
      const count = steps.reduce((sum, [, count]) => sum + count, 0)
      return (
        new Set(all.flat()).size === 2 * count &&
        all.every(ids => ids.every((id, index) => Number.isSafeInteger(id) && id > (ids[index - 1] ?? 0)))
      )
    }),
  )
})

t.test('ids are above those of a replica whose clock is ahead', async t => {
  const ahead = createIds(
    () => 3,
    () => startMs + 1000,
  )
  const behind = createIds(
    () => 1,
    () => startMs,
  )
  const [observed = 0] = ahead.take(1)
  behind.observe(observed)
  t.ok((behind.take(1)[0] ?? 0) > observed)
})
