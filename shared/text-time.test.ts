import fc from 'fast-check'
import t, { type Test } from 'tap'
import { anyCharacter } from './testing/any-character.ts'
import { startsWithTime, textTimeOf } from './text-time.ts'

/** Sets the time zone of the process. Most tests use a zone that differs from UTC and has no daylight saving time. */
function setZone(t: Test, zone: string): void {
  const before = process.env.TZ
  process.env.TZ = zone
  t.teardown(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })
}

const kolkata = 'Asia/Kolkata'
const nowMs = Date.parse('2026-11-22T12:00:00Z')

t.test('reads the time at the start of a line, in the formats of many loggers', async t => {
  setZone(t, kolkata)
  const local = '2026-11-22T07:10:11+05:30'
  const cases: [line: string, iso: string, fractionMs?: number][] = [
    ['2026-11-22T07:10:11Z served', '2026-11-22T07:10:11Z'],
    ['2026-11-22T07:10:11.123456Z served', '2026-11-22T07:10:11Z', 123.456],
    ['2026-11-22t07:10:11z served', '2026-11-22T07:10:11Z'],
    ['2026-11-22T07:10:11+01:00 INFO served', '2026-11-22T06:10:11Z'],
    ['2026-11-22 01:10:11 -0500 served', '2026-11-22T06:10:11Z'],
    ['2026-11-22 07:10:11.5 UTC [42] LOG: served', '2026-11-22T07:10:11Z', 500],
    ['2026-11-22 07:10:11,123 - INFO [main] served', local, 123],
    ['2026-11-22 07:10:11, Info   CBS served', local],
    ['[2026-11-22 07:10:11] served', local],
    ['time="2026-11-22T07:10:11Z" level=info msg=served', '2026-11-22T07:10:11Z'],
    ['time=2026-11-22T07:10:11.123+01:00 level=INFO msg=served', '2026-11-22T06:10:11Z', 123],
    ['E, [2026-11-22T07:10:11.123456 #42] ERROR -- : failed', local, 123.456],
    ['[I 2026-11-22 07:10:11.123 ServerApp] served', local, 123],
    ['api.log.1 2026-11-22 07:10:11.123 42 INFO served', local, 123],
    ['2026/11/22 07:10:11 served', local],
    ['2026/11/22 07:10:11.123456 served', local, 123.456],
    ['[22/Nov/2026:07:10:11 +0000] "GET /"', '2026-11-22T07:10:11Z'],
    ['192.0.2.7 - ann [22/Nov/2026:07:10:11 +0100] "GET / HTTP/1.1" 200 5', '2026-11-22T06:10:11Z'],
    ['[22/Nov/2026 07:10:11] "GET / HTTP/1.1" 200 5', local],
    ['192.0.2.7 - - [22/Nov/2026 07:10:11] "GET / HTTP/1.1" 200 -', local],
    ['[22-Nov-2026 07:10:11 UTC] PHP Warning:  Undefined variable $cart', '2026-11-22T07:10:11Z'],
    ['[22-Nov-2026 07:10:11] NOTICE: ready to handle connections', local],
    ['[22-Nov-2026 07:10:11.123456] DEBUG: pid 42, fpm_event_loop()', local, 123.456],
    ['[Sun Nov 22 07:10:11 2026] [notice] served', local],
    ['[Sun Nov 22 07:10:11.123456 2026] [core:notice] served', local, 123.456],
    ['Sun Nov 22 07:10:11 UTC 2026', '2026-11-22T07:10:11Z'],
    ['Nov 22 07:10:11 host app[42]: served', local],
    ['Nov  2 07:10:11 host app[42]: served', '2026-11-02T07:10:11+05:30'],
    ['<13>Nov 22 07:10:11 host app: served', local],
    ['Nov 22 2026 07:10:11 host app: served', local],
    ['<34>1 2026-11-22T07:10:11.123Z host app - ID47 - served', '2026-11-22T07:10:11Z', 123],
    ['11-22 07:10:11.123  1702  2395 D Cart: served', local, 123],
    ['I1122 07:10:11.123456    4321 server.go:42] served', local, 123.456],
    ['W20261122 07:10:11.123456 4321 server.cc:42] slow', local, 123.456],
    ['[I 261122 07:10:11 web:42] served', local],
    ['261122 071011 148 INFO store.Node: served', local],
    ['26/11/22 07:10:11 INFO storage.Block: served', local],
    ['20261122-7:10:11:12|Step|42|served', local, 12],
    ['[11.22 07:10:11] app.exe served', local],
    ['1:M 22 Nov 2026 07:10:11.123 * Ready to accept connections', local, 123],
    ['1795331411 served', '2026-11-22T07:10:11Z'],
    ['1795331411.5 45 192.0.2.7 served', '2026-11-22T07:10:11Z', 500],
    ['1795331411123 served', '2026-11-22T07:10:11Z', 123],
    ['- 1795331411 2026.11.22 node-1 served', '2026-11-22T07:10:11Z'],
    ['DISKFULL 1795331411 2026.11.22 node-1 served', '2026-11-22T07:10:11Z'],
    [' 2026-11-22T07:10:11Z served', '2026-11-22T07:10:11Z'],
  ]
  for (const [line, iso, fractionMs = 0] of cases) {
    t.equal(textTimeOf(line, nowMs)?.timeMs, Date.parse(iso) + fractionMs, line)
    t.ok(startsWithTime(line), line)
    t.equal(textTimeOf(line, nowMs)?.hasZone, !iso.endsWith('+05:30'), line)
  }
})

t.test('ignores other text, and dates that do not exist or are implausible', async t => {
  for (const line of [
    '',
    'served at 2026-11-22T07:10:11Z',
    '2026-11-22 served',
    '07:10:11 served',
    '2026-13-01T07:10:11Z served',
    '2026-02-29T07:10:11Z served',
    '2026-11-22T24:10:11Z served',
    '2026-11-22T07:60:11Z served',
    '2026-11-22T07:10:61Z served',
    '2026-11-22T07:10:11+99:00 served',
    '2026-11-22T07:10:111 served',
    '1999-11-22T07:10:11Z served',
    '2026-11-22T12:00:02Z is in the future',
    '1795350000 is in the future',
    '17953314111 has 11 digits',
    '1795331411',
    'Nov 31 07:10:11 host served',
    '[31-Nov-2026 07:10:11] served',
    '[22-Nov-2026 07:10:11 Asia/Tokyo] served',
    '[22/Nov/2026 07:10:11 served',
    'Nova 22 07:10:11 served',
    '26/11/22 07:10:11 served',
    '261122 071011 served',
    '11-22 07:10:11 served',
    'X1122 07:10:11.123456 served',
  ]) {
    t.equal(textTimeOf(line, nowMs), null, line)
  }
})

t.test(
  'a time without a year is assigned the latest year in which it is less than a day in the future',
  async t => {
    setZone(t, kolkata)
    const yearOf = (line: string, now: string) => {
      const time = textTimeOf(line, Date.parse(now))
      return time === null ? null : new Date(time.timeMs).getFullYear()
    }
    t.equal(yearOf('Dec 31 23:59:59 host x', '2026-01-01T12:00:00Z'), 2025)
    t.equal(yearOf('Jan  1 00:00:00 host x', '2026-01-01T12:00:00Z'), 2026)
    t.equal(yearOf('12-31 23:59:59.000  1  2 I T: x', '2026-06-01T12:00:00Z'), 2025)
    t.equal(yearOf('Feb 29 07:00:00 host x', '2026-06-01T12:00:00Z'), 2024)
    t.equal(yearOf('Feb 29 07:00:00 host x', '2103-06-01T12:00:00Z'), 2096)
    t.equal(yearOf('Nov 23 07:10:11 host x', '2026-11-22T12:00:00Z'), null, 'a clock or zone may be ahead')
    t.equal(yearOf('Nov 24 07:10:11 host x', '2026-11-22T12:00:00Z'), 2025)
  },
)

t.test("a time without a zone is interpreted in the process's time zone", async t => {
  for (const [zone, iso] of [
    ['America/New_York', '2026-11-21T12:10:11Z'],
    ['Europe/Berlin', '2026-11-21T06:10:11Z'],
    ['UTC', '2026-11-21T07:10:11Z'],
  ] as const) {
    setZone(t, zone)
    t.equal(textTimeOf('2026-11-21 07:10:11 served', nowMs)?.timeMs, Date.parse(iso), zone)
  }
})

t.test('a time that occurs twice, because clocks go back, is the latest instant before now', async t => {
  const cases: [zone: string, wall: string, now: string, iso: string][] = [
    ['Europe/Vienna', '2026-10-25 02:30:00', '2026-10-25T00:30:00Z', '2026-10-25T00:30:00Z'],
    ['Europe/Vienna', '2026-10-25 02:30:00', '2026-10-25T01:29:58Z', '2026-10-25T00:30:00Z'],
    ['Europe/Vienna', '2026-10-25 02:30:00', '2026-10-25T01:30:00Z', '2026-10-25T01:30:00Z'],
    ['Europe/Vienna', '2026-10-25 02:00:00', '2026-10-25T01:00:00Z', '2026-10-25T01:00:00Z'],
    ['Europe/Vienna', '2026-10-25 01:59:59', '2026-10-25T03:00:00Z', '2026-10-24T23:59:59Z'],
    ['Europe/Vienna', '2026-10-25 03:00:00', '2026-10-25T03:00:00Z', '2026-10-25T02:00:00Z'],
    ['Europe/Vienna', '2026-03-29 01:30:00', '2026-03-29T03:00:00Z', '2026-03-29T00:30:00Z'],
    ['Australia/Lord_Howe', '2026-04-05 01:40:00', '2026-04-04T14:45:00Z', '2026-04-04T14:40:00Z'],
    ['Australia/Lord_Howe', '2026-04-05 01:40:00', '2026-04-04T15:10:00Z', '2026-04-04T15:10:00Z'],
    ['Australia/Lord_Howe', '2026-04-05 02:10:00', '2026-04-04T16:00:00Z', '2026-04-04T15:40:00Z'],
  ]
  for (const [zone, wall, now, iso] of cases) {
    setZone(t, zone)
    t.equal(textTimeOf(`${wall} served`, Date.parse(now))?.timeMs, Date.parse(iso), `${zone} ${now}`)
  }
  setZone(t, 'Europe/Vienna')
  const laterMs = Date.parse('2026-10-25T01:30:00Z')
  t.equal(textTimeOf('2026-10-25 02:30:00.5 served', laterMs + 600)?.timeMs, laterMs + 500)
  t.equal(textTimeOf('Oct 25 02:30:00 host served', laterMs)?.timeMs, laterMs, 'without a year')
  t.equal(textTimeOf('2026-10-25T02:30:00+02:00 served', laterMs)?.timeMs, laterMs - 3_600_000, 'with a zone')
})

const pad = (value: number, length = 2) => String(value).padStart(length, '0')
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Functions that format a local time, with the precision of each format in milliseconds. */
const writers: Record<string, [write: (date: Date) => string, precisionMs: number]> = {
  rfc3339: [date => date.toISOString(), 1],
  offset: [date => `${dashed(date)}T${clock(date)}.${pad(date.getMilliseconds(), 3)}+05:30`, 1],
  space: [date => `${dashed(date)} ${clock(date)},${pad(date.getMilliseconds(), 3)}`, 1],
  go: [date => `${dashed(date).replaceAll('-', '/')} ${clock(date)}`, 1000],
  access: [
    date =>
      `192.0.2.7 - - [${pad(date.getDate())}/${months[date.getMonth()]}/${date.getFullYear()}:${clock(date)} +0530]`,
    1000,
  ],
  asctime: [date => `[${days[date.getDay()]} ${named(date)} ${clock(date)} ${date.getFullYear()}]`, 1000],
  syslog: [date => `${named(date)} ${clock(date)} host`, 1000],
  logcat: [date => `${dashed(date).slice(5)} ${clock(date)}.${pad(date.getMilliseconds(), 3)}`, 1],
  glog: [
    date => `W${dashed(date).slice(5).replace('-', '')} ${clock(date)}.${pad(date.getMilliseconds(), 3)}000`,
    1,
  ],
  tornado: [date => `[W ${dashed(date).slice(2).replaceAll('-', '')} ${clock(date)} web:1]`, 1000],
  hdfs: [
    date => `${dashed(date).slice(2).replaceAll('-', '')} ${clock(date).replaceAll(':', '')} 1 WARN x`,
    1000,
  ],
  spark: [date => `${dashed(date).slice(2).replaceAll('-', '/')} ${clock(date)} WARN`, 1000],
  health: [
    date =>
      `${dashed(date).replaceAll('-', '')}-${date.getHours()}:${date.getMinutes()}:${date.getSeconds()}:${date.getMilliseconds()}|`,
    1,
  ],
  proxifier: [date => `[${dashed(date).slice(5).replace('-', '.')} ${clock(date)}]`, 1000],
  seconds: [date => `- ${Math.floor(date.getTime() / 1000)}`, 1000],
  milliseconds: [date => `${date.getTime()}`, 1],
}

function dashed(date: Date): string {
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

function named(date: Date): string {
  return `${months[date.getMonth()]} ${String(date.getDate()).padStart(2, ' ')}`
}

function clock(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(part => pad(part)).join(':')
}

t.test('property: a formatted time is parsed as the same instant', async t => {
  setZone(t, kolkata)
  const lastYear = fc.date({
    min: new Date(nowMs - 364 * 86_400_000),
    max: new Date(nowMs),
    noInvalidDate: true,
  })
  for (const [name, [write, precisionMs]] of Object.entries(writers)) {
    fc.assert(
      fc.property(lastYear, date => {
        const instantMs = Math.floor(date.getTime() / precisionMs) * precisionMs
        return textTimeOf(`${write(date)} served`, nowMs)?.timeMs === instantMs
      }),
    )
    t.pass(name)
  }
})

t.test('property: for any text, parsing neither throws nor returns an implausible time', async () => {
  const piece = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom(
      ...['[', ']', '- ', ' ', ':', '.', ',', '/', 'T', 'Z', '+99:99', 'Nov ', 'I', 'INFO', '.log'],
    ),
    fc.stringMatching(/^\d{1,14}$/),
    fc.stringMatching(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d$/),
    fc.stringMatching(/^[IWEF]?\d{2,4} \d\d:\d\d:\d\d\.\d{3}$/),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
      const time = textTimeOf(pieces.join(''), nowMs)
      return time === null || (time.timeMs >= Date.UTC(2000) && time.timeMs <= nowMs + 1000)
    }),
    { numRuns: 2000 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
      textTimeOf(Buffer.from(bytes).toString('utf8'), nowMs)
      return true
    }),
  )
})
