import t from 'tap'
import { columnLabel, endLabel } from './chart-label.ts'
import { dayMs } from './duration-units.ts'

/** Returns the labels of three columns of one day each. */
function labelsFrom(instant: string, timeZone: string): string[] {
  const fromMs = Date.parse(instant)
  const times = { window: { fromMs, toMs: fromMs + 3 * dayMs }, bucketMs: dayMs }
  return [0, 1, 2].map(day => columnLabel(fromMs + day * dayMs, times, { timeZone, clock: '24h' }))
}

t.test('the label of a whole day is only the date', async t => {
  t.same(labelsFrom('2026-10-08T00:00Z', 'UTC'), ['Oct 8', 'Oct 9', 'Oct 10'])
  t.same(labelsFrom('2026-10-08T07:00Z', 'America/Los_Angeles'), ['Oct 8', 'Oct 9', 'Oct 10'])
})

t.test('the label of a column that does not start at local midnight includes the time', async t => {
  t.same(labelsFrom('2026-10-08T00:00Z', 'America/Los_Angeles'), [
    'Oct 7 17:00',
    'Oct 8 17:00',
    'Oct 9 17:00',
  ])
  t.same(
    labelsFrom('2026-10-31T07:00Z', 'America/Los_Angeles'),
    ['Oct 31', 'Nov 1', 'Nov 1 23:00'],
    'clocks go back on November 1',
  )
})

t.test('the label of a column that does not start at a whole minute includes seconds', async t => {
  const fromMs = Date.parse('2026-10-08T11:02:23Z')
  const times = { window: { fromMs, toMs: fromMs + 3_600_000 }, bucketMs: 60_000 }
  t.equal(columnLabel(fromMs + 60_000, times, { timeZone: 'UTC', clock: '24h' }), '11:03:23')
})

t.test('the end of selected days is the last day, and any other end is the time', async t => {
  const fromMs = Date.parse('2026-10-08T00:00Z')
  const days = { window: { fromMs, toMs: fromMs + 9 * dayMs }, bucketMs: dayMs }
  const utc = { timeZone: 'UTC', clock: '24h' } as const
  t.equal(endLabel(fromMs + 3 * dayMs, days, utc), 'Oct 10')
  t.equal(endLabel(fromMs + 2.5 * dayMs, days, utc), 'Oct 10 12:00')
  const hours = { window: { fromMs, toMs: fromMs + dayMs }, bucketMs: 3_600_000 }
  t.equal(endLabel(fromMs + 3_600_000, hours, utc), '01:00')
})
