import t from 'tap'
import { dayMs } from '../../shared/duration-units.ts'
import { windowLabel } from './chart-values.ts'

t.test('selected days are labelled with the first and the last day, and one day only once', async t => {
  const fromMs = Date.parse('2026-10-08T00:00Z')
  const plot = { window: { fromMs, toMs: fromMs + 3 * dayMs }, bucketMs: dayMs }
  const labelOf = (days: number) =>
    windowLabel({ fromMs, toMs: fromMs + days * dayMs }, plot, { timeZone: 'UTC', clock: '24h' })
  t.equal(labelOf(1), 'Oct 8')
  t.equal(labelOf(2), 'Oct 8 – Oct 9')
})
