import fc from 'fast-check'
import t from 'tap'
import { startOfDay, timeTicks } from './ticks.ts'

const hourMs = 3_600_000
const utc = { timeZone: 'UTC', clock: '24h' } as const
const labels = (fromMs: number, hours: number, timeZone: string) =>
  timeTicks({ fromMs, toMs: fromMs + hours * hourMs }, { timeZone, clock: '24h' }).map(({ label }) => label)

t.test('ticks are at round local times', async t => {
  const fromMs = Date.UTC(2026, 10, 21, 13, 3)
  t.same(labels(fromMs, 1, 'UTC'), ['13:10', '13:20', '13:30', '13:40', '13:50', '14:00'])
  t.same(labels(fromMs, 6, 'Asia/Kathmandu'), ['19:00', '20:00', '21:00', '22:00', '23:00', 'Nov 22'])
  t.same(labels(fromMs, 24, 'America/St_Johns'), ['12:00', '18:00', 'Nov 22', '06:00'])
})

t.test('a day starts at local midnight, even on days with a clock change', async t => {
  // Summer time ends in Zurich on 2026-10-25, so that day has 25 hours.
  const ticks = timeTicks(
    { fromMs: Date.parse('2026-10-23T22:00:00Z'), toMs: Date.parse('2026-10-27T23:00:00Z') },
    { timeZone: 'Europe/Zurich', clock: '24h' },
  )
  t.same(
    ticks.map(({ ms, label }) => `${label} ${new Date(ms).toISOString()}`),
    [
      'Oct 24 2026-10-23T22:00:00.000Z',
      'Oct 25 2026-10-24T22:00:00.000Z',
      'Oct 26 2026-10-25T23:00:00.000Z',
      'Oct 27 2026-10-26T23:00:00.000Z',
    ],
  )
})

t.test('clock changes: omits skipped local times and labels repeated ones twice', async t => {
  const at = (instant: string, hours: number, timeZone: string) =>
    labels(Date.parse(instant), hours, timeZone)
  t.same(at('2026-03-29T00:25Z', 1, 'Europe/Zurich'), ['01:30', '01:40', '01:50', '03:00', '03:10', '03:20'])
  t.same(at('2026-03-28T21:30Z', 6, 'Europe/Zurich'), ['23:00', 'Mar 29', '01:00', '03:00', '04:00', '05:00'])
  t.same(at('2026-10-25T00:25Z', 1, 'Europe/Zurich'), ['02:30', '02:40', '02:50', '02:00', '02:10', '02:20'])
  t.same(at('2026-11-01T03:30Z', 6, 'America/New_York'), [
    'Nov 1',
    '01:00',
    '01:00',
    '02:00',
    '03:00',
    '04:00',
  ])
  // A half-hour clock change and a skipped midnight.
  t.same(at('2026-04-04T14:25Z', 1, 'Australia/Lord_Howe'), [
    '01:30',
    '01:40',
    '01:50',
    '01:30',
    '01:40',
    '01:50',
  ])
  t.same(at('2018-11-03T23:30Z', 6, 'America/Sao_Paulo'), [
    '21:00',
    '22:00',
    '23:00',
    'Nov 4',
    '02:00',
    '03:00',
  ])
})

t.test('a day starts at the next local time if a clock change skips midnight', async t => {
  const clock = { timeZone: 'America/Sao_Paulo', clock: '24h' } as const
  t.equal(startOfDay(Date.parse('2018-11-04T12:00Z'), clock), Date.parse('2018-11-04T03:00Z'))
  t.equal(startOfDay(Date.parse('2018-11-04T02:59Z'), clock), Date.parse('2018-11-03T03:00Z'))
  t.equal(startOfDay(Date.parse('2018-11-05T12:00Z'), clock), Date.parse('2018-11-05T02:00Z'))
})

t.test('ticks of a window of a few minutes or less are labelled with seconds', async t => {
  const fromMs = Date.UTC(2026, 10, 21, 13, 3, 40)
  const secondsLabels = (seconds: number) =>
    timeTicks({ fromMs, toMs: fromMs + seconds * 1000 }, utc).map(({ label }) => label)
  t.same(secondsLabels(60), ['13:03:40', '13:03:50', '13:04:00', '13:04:10', '13:04:20', '13:04:30'])
  t.same(secondsLabels(3), ['13:03:40', '13:03:41', '13:03:42'])
})

t.test('property: every window has at most eight ticks, all inside it and in order', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.integer({ min: 1000, max: 4000 * 24 * hourMs }),
      fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Auckland', 'Europe/Zurich'),
      (fromMs, lengthMs, timeZone) => {
        const window = { fromMs, toMs: fromMs + lengthMs }
        const instants = timeTicks(window, { ...utc, timeZone }).map(({ ms }) => ms)
        return (
          instants.length <= 8 &&
          instants.every((ms, index) => ms >= fromMs && ms < window.toMs && ms > (instants[index - 1] ?? -1))
        )
      },
    ),
  )
})
