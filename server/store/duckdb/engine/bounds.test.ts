import t from 'tap'
import { anEvent } from '../../conformance/testing.ts'
import { boundsOf } from './bounds.ts'

t.test('computes the time and id ranges of a batch', async t => {
  const fingerprints = new Map([[1, 'f1']])
  const events = [2, 1, 3].map((timeMs, index) => ({
    ...anEvent({ timeMs, fingerprint: fingerprints.get(timeMs) ?? null }),
    id: 10 + index,
  }))
  t.same(boundsOf(events), {
    events: 3,
    fromUs: 1000,
    toUs: 3000,
    firstId: 10,
    lastId: 12,
    lastFailureId: 11,
  })
})
