import t from 'tap'
import { pauseBelow } from './row-notes.tsx'

const at = (timeMs: number) => ({ timeMs })
const hour = { fromMs: 0, toMs: 3_600_000 }

t.test('reports only pauses that are long, both in absolute terms and relative to the window', async t => {
  t.equal(pauseBelow(at(1_000_000), at(0), hour), 1_000_000)
  t.equal(pauseBelow(at(170_000), at(0), hour), null, 'three minutes is short relative to an hour')
  t.equal(pauseBelow(at(59_000), at(0), { fromMs: 0, toMs: 60_000 }), null)
  t.equal(pauseBelow(at(60_000), at(0), { fromMs: 0, toMs: 60_000 }), 60_000)
  t.equal(pauseBelow(at(1_000_000), undefined, hour), null)
})
