import t from 'tap'
import { missingRange } from './missing-events.ts'

const at = (timeMs: number) => ({ timeMs })
const hour = { fromMs: 0, toMs: 3_600_000 }

t.test(
  'missing events are loaded for the time between a row and the first row below it that is not newer',
  async t => {
    t.same(missingRange(at(50), [at(20), at(10)], hour), { fromMs: 20, toMs: 51 })
    t.same(
      missingRange(at(50), [at(80), at(60), at(40)], hour),
      { fromMs: 40, toMs: 51 },
      'the row arrived late',
    )
    t.same(missingRange(at(50), [at(80)], hour), { fromMs: 0, toMs: 51 })
    t.same(missingRange(at(-50), [at(80)], hour), { fromMs: -50, toMs: -49 }, 'a row from before the window')
  },
)
