import t from 'tap'
import { gapBelow } from './gaps.ts'

const at = (timeMs: number) => ({ timeMs })
const hour = { fromMs: 0, toMs: 3_600_000 }

t.test('a pause is told where it is long, by itself and beside what is shown', async t => {
  t.equal(gapBelow(at(1_000_000), at(0), hour), 1_000_000)
  t.equal(gapBelow(at(170_000), at(0), hour), null, 'three minutes of an hour are little')
  t.equal(gapBelow(at(59_000), at(0), { fromMs: 0, toMs: 60_000 }), null)
  t.equal(gapBelow(at(60_000), at(0), { fromMs: 0, toMs: 60_000 }), 60_000)
  t.equal(gapBelow(at(1_000_000), undefined, hour), null)
})
