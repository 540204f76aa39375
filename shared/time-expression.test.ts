import fc from 'fast-check'
import t from 'tap'
import { resolveRange } from './range.ts'
import { parseTimeExpression } from './time-expression.ts'

const vienna = { nowMs: Date.parse('2026-11-21T21:03:00Z'), timeZone: 'Europe/Vienna' }

/** Returns the window in UTC, without seconds. */
function read(text: string, now = vienna): string | null {
  const range = parseTimeExpression(text, now)
  if (range === null) return null
  if ('span' in range) return range.span
  const { fromMs, toMs } = resolveRange(range, now.nowMs)
  return [fromMs, toMs].map(ms => new Date(ms).toISOString().slice(0, 16)).join(' ')
}

t.test('durations that end now stay relative', async t => {
  for (const text of ['90m', ' 90 m', 'last 90m', 'now-90m', 'now - 90m', '-90m', 'NOW-90M to now'])
    t.equal(read(text), '90m', text)
  for (const [text, span] of [
    ['2d', '2d'],
    ['last hour', '1h'],
    ['2 hours', '2h'],
    ['30 min', '30m'],
    ['1w', '7d'],
  ] as const)
    t.equal(read(text), span, text)
})

t.test("days and times are in the visitor's time zone", async t => {
  const cases: [string, string][] = [
    ['today', '2026-11-20T23:00 2026-11-21T21:03'],
    ['yesterday', '2026-11-19T23:00 2026-11-20T23:00'],
    ['yesterday 14:00', '2026-11-20T13:00 2026-11-20T14:00'],
    ['yesterday 2:00 pm', '2026-11-20T13:00 2026-11-20T14:00'],
    ['yesterday 14:00 to 15:30', '2026-11-20T13:00 2026-11-20T14:30'],
    ['21:40-22:00', '2026-11-21T20:40 2026-11-21T21:00'],
    ['23:50-00:10', '2026-11-20T22:50 2026-11-20T23:10'],
    ['2026-11-18', '2026-11-17T23:00 2026-11-18T23:00'],
    ['2026-11-18 to 2026-11-19', '2026-11-17T23:00 2026-11-19T23:00'],
    ['2026-11-18 9:05 - 2026-11-19 10:00', '2026-11-18T08:05 2026-11-19T09:00'],
    ['2026-11-18 24:00 to now', '2026-11-18T23:00 2026-11-21T21:03'],
    ['2026-11-18T09:00Z..2026-11-18T10:00+01:00', ''],
    ['2026-11-18T09:00-05:00', '2026-11-18T14:00 2026-11-18T15:00'],
    ['2026-11-18T09:00-05:00 to 2026-11-18T09:30-05:00', '2026-11-18T14:00 2026-11-18T14:30'],
    ['21:00-20:00', '2026-11-20T20:00 2026-11-21T19:00'],
    ['18:00-08:00', '2026-11-20T17:00 2026-11-21T07:00'],
    ['2026-11-18T09:00Z..2026-11-18T10:00Z', '2026-11-18T09:00 2026-11-18T10:00'],
    [`${Date.parse('2026-11-18T09:00Z') / 1000}`, '2026-11-18T09:00 2026-11-18T10:00'],
    [`${Date.parse('2026-11-18T09:00Z')} to now`, '2026-11-18T09:00 2026-11-21T21:03'],
    ['2024-02-29', '2024-02-28T23:00 2024-02-29T23:00'],
  ]
  for (const [text, expected] of cases) t.equal(read(text) ?? '', expected, text)
})

t.test(
  'a range that has already begun and ends within an hour starts today, even if it ends after midnight',
  async t => {
    const late = { nowMs: Date.parse('2026-11-21T22:45:00Z'), timeZone: 'Europe/Vienna' }
    t.equal(read('23:30', late), '2026-11-21T22:30 2026-11-21T23:30')
    t.equal(read('11:00 pm', late), '2026-11-21T22:00 2026-11-21T23:00')
    t.equal(read('23:30 to 00:10', late), '2026-11-21T22:30 2026-11-21T23:10')
    t.equal(read('23:50', late), '2026-11-20T22:50 2026-11-20T23:50')
  },
)

t.test('a day with a clock change has 23 or 25 hours', async t => {
  t.equal(read('2026-03-29'), '2026-03-28T23:00 2026-03-29T22:00')
  t.equal(read('2026-10-25'), '2026-10-24T22:00 2026-10-25T23:00')
  t.equal(
    read('2026-03-29 02:30 to 04:00'),
    '2026-03-29T01:30 2026-03-29T02:00',
    'a skipped time moves forward',
  )
  t.equal(
    read('2026-10-25 02:30 to 04:00'),
    '2026-10-25T00:30 2026-10-25T03:00',
    'the first occurrence of a repeated time',
  )
  const stJohns = { nowMs: vienna.nowMs, timeZone: 'America/St_Johns' }
  t.equal(read('yesterday 14:00', stJohns), '2026-11-20T17:30 2026-11-20T18:30')
})

t.test('other text is not a range', async t => {
  const invalid = [
    '',
    'soon',
    '0m',
    '90',
    'hour',
    '90y',
    '25:00',
    '14:60',
    '13:00 pm',
    '2026-02-30',
    '2026-11-19 to 2026-11-18',
  ]
  for (const text of [
    ...invalid,
    'today to',
    'today to yesterday to now',
    '2026-13-01',
    '99999d',
    '1'.repeat(200),
  ])
    t.equal(read(text), null, text)
})

t.test('parsing never throws, and every range has a positive length', async t => {
  const words = fc.constantFrom(
    'today',
    'yesterday',
    'now',
    'to',
    '-',
    '14:00',
    '2026-11-20',
    '90m',
    ' ',
    'pm',
    '..',
  )
  const typed = fc.oneof(
    fc.string(),
    fc.array(words).map(all => all.join(' ')),
    fc.array(words).map(all => all.join('')),
  )
  fc.assert(
    fc.property(typed, text => {
      const range = parseTimeExpression(text, vienna)
      if (range === null) return
      const { fromMs, toMs } = resolveRange(range, vienna.nowMs)
      t.ok(fromMs < toMs, text)
    }),
    { numRuns: 300 },
  )
})
