import t from 'tap'
import { invalidRangeOf, parseRange, withInstants } from './parse-range.ts'

const nowMs = Date.parse('2026-01-03T12:00Z')
const read = (query: string, timeZone = 'UTC') =>
  parseRange(new URLSearchParams(query), { range: '1h', timeZone }, nowMs)

t.test('parses relative and absolute ranges', async t => {
  t.same(read('range=24h'), { span: '24h' })
  const absolute = { fromMs: 1_767_225_600_000, toMs: 1_767_229_200_000 }
  t.same(read('from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00Z'), absolute)
  t.same(read('from=1767225600000&to=1767229200000'), absolute)
})

t.test('a range without an end ends now', async t => {
  t.same(read('from=2026-01-01T00:00:00Z'), { fromMs: Date.parse('2026-01-01T00:00Z'), toMs: nowMs })
})

t.test('reads a space before an offset as an unencoded plus sign', async t => {
  const range = { fromMs: Date.parse('2026-01-01T23:00Z'), toMs: Date.parse('2026-01-02T00:00:00.5Z') }
  t.same(read('from=2026-01-02T00:00+01:00&to=2026-01-02T01:00:00.5+0100'), range)
  const local = { fromMs: Date.parse('2026-01-01T23:00Z'), toMs: Date.parse('2026-01-02T00:00Z') }
  t.same(
    read('from=2026-01-02+00:00&to=2026-01-02+01:00', 'Europe/Vienna'),
    local,
    'a space before a time is unchanged',
  )
})

t.test('falls back to the default for invalid ranges', async t => {
  for (const query of [
    '',
    'range=1y',
    'time=soon',
    'from=yesterday&to=now',
    'from=2026-01-02&to=2026-01-01',
    'from=2026-01-04',
    'to=2026-01-01',
    // Outside the years 1 to 9999.
    'from=2026-01-01T00:00:00Z&to=%2B275760-09-12T00:00:00Z',
    'from=-000001-01-01T00:00:00Z&to=2026-01-01T00:00:00Z',
  ]) {
    t.same(read(query), { span: '1h' }, query)
  }
})

t.test("times without an offset are in the visitor's time zone", async t => {
  const range = { fromMs: Date.parse('2026-01-01T23:00Z'), toMs: Date.parse('2026-01-02T00:00Z') }
  t.same(read('from=2026-01-02T00:00&to=2026-01-02T01:00', 'Europe/Vienna'), range)
  t.same(read('from=2026-01-01T23:00Z&to=2026-01-02T01:00%2B01:00', 'Europe/Vienna'), range)
})

t.test('parses a range that the visitor typed', async t => {
  t.same(read('time=now-90m'), { span: '90m' })
  t.same(read('range=6h&time=2026-01-02'), {
    fromMs: Date.parse('2026-01-02T00:00Z'),
    toMs: Date.parse('2026-01-03T00:00Z'),
  })
})

t.test('returns an invalid range, so that the visitor can correct it', async t => {
  const invalidRange = (query: string) =>
    invalidRangeOf(new URLSearchParams(query), { nowMs, timeZone: 'UTC' })
  for (const query of [
    '',
    'range=90m',
    'range=',
    'time=90m',
    'from=2026-01-01T00:00&to=2026-01-01T00:01',
    'from=2026-01-01',
  ])
    t.equal(invalidRange(query), null, query)
  t.same(invalidRange('time=soon'), { time: 'soon' })
  t.same(invalidRange('from=2026-01-02T00:00&to=2026-01-01T00:00'), {
    from: '2026-01-02T00:00',
    to: '2026-01-01T00:00',
  })
  t.same(invalidRange('from=&to='), { from: '', to: '' })
  t.same(invalidRange('from=yesterday'), { from: 'yesterday', to: '' })
  t.same(invalidRange('from=2026-01-04'), { from: '2026-01-04', to: '' }, 'in the future')
  t.same(invalidRange('to=2026-01-01&range=1h'), { from: '', to: '2026-01-01' })
  t.same(invalidRange('range=1y'), { time: '1y' })
})

t.test('replaces local times, so that a URL selects the same range in every time zone', async t => {
  const instants = (query: string, timeZone = 'Europe/Vienna') =>
    decodeURIComponent(`${withInstants(new URLSearchParams(query), { nowMs, timeZone })}`)
  for (const [query, expected] of [
    ['from=2026-01-02T14:00&to=2026-01-02T15:00&q=a', 'q=a&from=2026-01-02T13:00Z&to=2026-01-02T14:00Z'],
    ['from=2026-01-02T14:00&to=2026-01-02T14:00:30Z', 'from=2026-01-02T13:00Z&to=2026-01-02T14:00:30Z'],
    ['from=2026-01-02+14:00', 'from=2026-01-02T13:00Z'],
    ['range=1h&time=2026-01-02+14:00+to+15:00', 'from=2026-01-02T13:00Z&to=2026-01-02T14:00Z'],
    ['time=2026-01-02', 'from=2026-01-01T23:00Z&to=2026-01-02T23:00Z'],
    ['time=01:30-02:10', 'from=2026-01-03T00:30Z&to=2026-01-03T01:10Z'],
    ['time=Yesterday+14:00', 'from=2026-01-02T13:00Z&to=2026-01-02T14:00Z'],
    ['time=9:00+to+now', 'from=2026-01-03T08:00Z'],
  ] as const) {
    t.equal(instants(query), expected, query)
    t.same(read(expected), read(query, 'Europe/Vienna'), `${query}: the same range`)
    t.equal(instants(expected), expected, `${expected} is unchanged`)
  }
  t.equal(
    instants('from=2026-01-02T14:00&to=2026-01-02T15:00', 'UTC'),
    'from=2026-01-02T14:00Z&to=2026-01-02T15:00Z',
  )
})

t.test('the instants of the current day include the rest of the day', async t => {
  const params = withInstants(new URLSearchParams('time=2026-01-03'), { nowMs, timeZone: 'Europe/Vienna' })
  t.equal(decodeURIComponent(`${params}`), 'from=2026-01-02T23:00Z&to=2026-01-03T23:00Z')
})

t.test('relative, exact and invalid ranges are unchanged', async t => {
  for (const query of [
    '',
    'range=6h&q=a%2Bb',
    'time=90m',
    'time=now-2h',
    'time=today',
    'time=yesterday',
    'time=yesterday+to+now',
    'time=soon&from=2026-01-02T14:00',
    'from=2026-01-02T14:00&to=2026-01-01T14:00',
    'from=yesterday&to=now',
    'from=1767225600000&to=2026-01-03T12:00%2B01:00',
  ]) {
    const params = new URLSearchParams(query)
    t.equal(withInstants(params, { nowMs, timeZone: 'Europe/Vienna' }), params, query)
  }
})
