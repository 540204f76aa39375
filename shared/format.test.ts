import fc from 'fast-check'
import t from 'tap'
import * as format from './format.ts'
import { instantOf } from './zoned-time.ts'

const utc = { timeZone: 'UTC', clock: '24h' } as const
const instantMs = Date.UTC(2026, 10, 21, 14, 3, 22, 123)

t.test('formats numbers', async t => {
  t.equal(format.formatCount(1234567), '1,234,567')
  t.equal(format.formatShortCount(1234), '1.23k')
  t.equal(format.formatShortCount(7500), '7.50k')
  t.equal(format.formatShortCount(940), '940')
  t.equal(format.formatRoundCount(0.5), '0.5')
  t.equal(format.formatRoundCount(0.002), '0.002')
  t.equal(format.formatRoundCount(7500), '7.5k')
  t.equal(format.formatRoundCount(999.7), '999.7')
  t.equal(format.formatRoundCount(999_600), '999.6k')
  t.equal(format.formatShortCount(999_499), '999k')
  t.equal(format.formatShortCount(999_600), '1.00M')
  t.equal(format.formatMeasured(999.4), '999')
  t.equal(format.formatMeasured(999.7), '1.00k')
  t.equal(format.formatMeasured(999_600), '1.00M')
  t.equal(format.formatMeasured(999_600_000_000), '1000G', 'G is the largest unit')
  t.equal(format.formatRatio(null), '–')
  t.equal(format.formatRatio(0), '0%')
  t.equal(format.formatRatio(0.00004), '<0.01%')
  t.equal(format.formatRatio(0.0004), '0.04%')
  t.equal(format.formatRatio(0.0167), '1.67%')
  t.equal(format.formatRatio(0.019), '1.90%')
  t.equal(format.formatRatio(0.456), '45.6%')
  t.equal(format.formatRatio(1), '100%')
  t.equal(format.formatRoundRatio(0.05), '5%')
  t.equal(format.formatRoundRatio(0.00002), '0.002%')
  t.equal(format.formatRoundRatio(0.07), '7%')
  t.equal(format.formatShare(99_999, 100_000), '99.99%')
  t.equal(format.formatShare(999, 1000), '99.90%')
  t.equal(format.formatShare(57, 100), '57.00%')
  t.equal(format.formatShare(3, 3), '100%')
  t.equal(format.formatDuration(0.42), '0.42 ms')
  t.equal(format.formatDuration(0), '0 ms')
  t.equal(format.formatDuration(0.001), '<0.01 ms', 'not zero')
  t.equal(format.formatDuration(8.7), '8.70 ms')
  t.equal(format.formatDuration(9.996), '10.0 ms')
  t.equal(format.formatDuration(87.44), '87.4 ms')
  t.equal(format.formatDuration(123.4), '123 ms')
  t.equal(format.formatDuration(999.7), '1.00 s')
  t.equal(format.formatDuration(59_970), '1 min')
  t.equal(format.formatDuration(1240), '1.24 s')
  t.equal(format.formatDuration(125_000), '2 min 5 s')
  t.equal(format.formatDuration(7_200_000), '2 h')
  t.equal(format.formatDuration(90_000_000), '1 d 1 h')
  t.equal(format.formatRate(0.05), '3.00/min')
  t.equal(format.formatRate(120), '120/s')
  t.equal(format.formatRate(0, 0.05), '0/min')
  t.equal(format.formatRate(0.05, 2), '0.05/s')
  t.equal(format.formatRate(0.002, 2), '<0.01/s')
  t.equal(format.formatRate(0.0001), '<0.01/min')
  t.equal(format.formatPerMinute(0.05), '3.00')
  t.equal(format.formatPerMinute(1.7 / 60), '1.70')
  t.equal(format.formatPerMinute(20), '1.20k')
  t.equal(format.formatPerMinute(0.0001), '<0.01')
  t.equal(format.formatPerMinute(0), '0')
  t.equal(format.formatPerMinute(null), '–')
  t.equal(format.formatBytes(999), '999 B')
  t.equal(format.formatBytes(1500), '1.5 KB')
  t.equal(format.formatBytes(30_000_000), '30 MB')
  t.equal(format.formatBytes(0), '0 B')
  t.equal(format.formatBytes(999_499), '999 KB')
  t.equal(format.formatBytes(999_999), '1 MB')
  t.equal(format.formatBytes(999_900_000_000), '1 TB')
})

t.test('formats times in the given time zone and clock format', async t => {
  t.equal(format.formatInstant(instantMs, utc), '2026-11-21 14:03:22.123 UTC')
  const tokyo = { timeZone: 'Asia/Tokyo', clock: '12h' } as const
  t.equal(format.formatInstant(instantMs, tokyo), '2026-11-21 11:03:22.123 pm UTC+9')
  t.equal(format.formatTime(instantMs, utc, 'minute'), '14:03')
  t.equal(format.formatDay(instantMs, { timeZone: 'Pacific/Kiritimati', clock: '24h' }), 'Nov 22')
  t.equal(format.formatDayTime(instantMs, { timeZone: 'UTC', clock: '24h' }, 'minute'), 'Nov 21 14:03')
  t.equal(format.formatDate(instantMs, { timeZone: 'Pacific/Kiritimati', clock: '24h' }), '2026-11-22')
  t.equal(format.formatTime(Date.UTC(2026, 0, 1), utc, 'second'), '00:00:00', 'midnight is 00, not 24')
})

t.test(
  'a time formatted for an input field parses to the same minute, except in a repeated hour',
  async t => {
    t.equal(format.formatLocalTime(instantMs, 'UTC', false), '2026-11-21T14:03')
    t.equal(format.formatLocalTime(instantMs, 'UTC', true), '2026-11-21T14:03:22')
    t.equal(format.formatLocalTime(instantMs, 'America/St_Johns', false), '2026-11-21T10:33')
    const zones = ['UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Europe/Zurich', 'Australia/Lord_Howe']
    fc.assert(
      fc.property(fc.integer({ min: 9e11, max: 4e12 }), fc.constantFrom(...zones), (ms, zone) => {
        const minuteMs = Math.floor(ms / 60_000) * 60_000
        const parsedMs = instantOf(format.formatLocalTime(ms, zone, false), zone) ?? Number.NaN
        const isRepeated =
          format.localTimeMs(parsedMs, { timeZone: zone }) ===
          format.localTimeMs(minuteMs, { timeZone: zone })
        return parsedMs === minuteMs || (isRepeated && parsedMs < minuteMs)
      }),
    )
  },
)

t.test('formats days and zones', async t => {
  t.equal(format.formatRecentDay(instantMs, instantMs, utc), 'Nov 21')
  t.equal(format.formatRecentDay(instantMs, instantMs + 366 * 86_400_000, utc), 'Nov 21, 2026')
  t.equal(format.formatZone('America/Argentina/Buenos_Aires'), 'Buenos Aires')
  t.equal(format.formatZone('UTC'), 'UTC')
})

t.test('formats relative times', async t => {
  const ago = (ms: number) => format.formatAgo(instantMs - ms, instantMs)
  t.equal(ago(0), 'just now')
  t.equal(ago(5_000), '5 s ago')
  t.equal(ago(60_000), '1 min ago')
  t.equal(ago(7_200_000), '2 h ago')
  t.equal(ago(400_000_000), '4 d ago')
  t.equal(ago(-5_000), 'in 5 s')
})

t.test('formatted UTC times parse to the same time', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), ms => {
      const text = format.formatInstant(ms, utc).replace(' UTC', 'Z').replace(' ', 'T')
      return Date.parse(text) === ms
    }),
  )
})
