import fc from 'fast-check'
import t from 'tap'
import { formatTick, ticksUpTo } from '../../shared/chart-scale.ts'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { plotIn } from '../testing/plot-in.ts'
import { bucketsFor, drawSeries } from './draw-series.ts'
import type { SeriesChart } from './series-types.ts'
import { seriesTable } from './table.ts'

const fromMs = Date.UTC(2026, 10, 21, 13)
const minuteMs = 60_000
const hourMs = 60 * minuteMs

function chartOf(overrides: Partial<SeriesChart> = {}): SeriesChart {
  return {
    name: 'rate',
    title: 'Requests',
    unit: 'per minute',
    window: { fromMs, toMs: fromMs + 4 * minuteMs },
    clock: { timeZone: 'UTC', clock: '24h' },
    nowMs: fromMs + 4 * minuteMs,
    bucketMs: minuteMs,
    series: [
      { name: 'info', tone: 'info', values: [1, 20, 300, 4000] },
      { name: 'error', tone: 'error', values: [0, null, 2, 1] },
    ],
    format: 'count',
    kind: 'stacked',
    ...overrides,
  }
}

const draw = (overrides?: Partial<SeriesChart>) => drawSeries(chartOf(overrides)).html ?? ''
const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(match => match[1])

t.test('the tooltips of a stacked chart contain the values of its table, except zeros', async t => {
  const html = draw()
  t.same(all(html, /<td class="num">([^<]*)<\/td>/g), ['1', '0', '20', '–', '300', '2', '4,000', '1'])
  t.same(all(html, /<title>([^<]*)<\/title>/g), [
    '13:00\ninfo: 1',
    '13:01\ninfo: 20\nerror: –',
    '13:02\ninfo: 300\nerror: 2',
    '13:03\ninfo: 4,000\nerror: 1',
  ])
})

t.test('the text alternative describes the peak of each series', async t => {
  t.match(
    draw(),
    'aria-label="Requests, per minute. info: highest 4,000 at 13:03; error: highest 2 at 13:02"',
  )
  t.match(draw({ series: [{ name: 'p95', tone: 'accent', values: [null] }] }), 'p95: no values')
})

t.test('a missing value breaks a line, but a zero does not', async t => {
  const pieces = (values: (number | null)[]) =>
    (
      /class="chart-line"[^>]* d="([^"]*)"/.exec(
        draw({ kind: 'line', series: [{ name: 'p95', tone: 'accent', values }] }),
      )?.[1] ?? ''
    ).split('M').length - 1
  t.equal(pieces([1, 2, 3, 4]), 1)
  t.equal(pieces([1, 0, 0, 4]), 1)
  t.equal(pieces([1, null, 3, 4]), 2)
  t.equal(pieces([1, null, 3, null]), 2)
  t.equal(pieces([null, null]), 0)
})

t.test('a value between two missing values is drawn as a line as wide as its bucket', async t => {
  const series = [
    { name: 'p95', tone: 'accent' as const, values: [null, 2, null, 4], previousValues: [1, null] },
  ]
  const html = draw({ kind: 'line', series })
  t.match(html, /class="chart-line"[^>]* d="M1 [\d.]+m-.5 0h1M3 [\d.]+m-.5 0h1"/)
  t.match(html, /class="chart-quiet"[^>]* d="M0 [\d.]+m-.5 0h1"/)
})

t.test('every bucket is a link in both the chart and the table', async t => {
  const html = draw({ hrefFor: range => `/activities?from=${range.fromMs}&to=${range.toMs}` })
  const hrefs = [0, 1, 2, 3].map(
    index => `/activities?from=${fromMs + index * minuteMs}&amp;to=${fromMs + (index + 1) * minuteMs}`,
  )
  t.same(all(html, /<a href="([^"]*)" tabindex="-1">/g), hrefs)
  t.same(all(html, /<th scope="row"><a href="([^"]*)">/g), hrefs)
  t.notMatch(draw(), '<a ')
})

t.test('a last bucket that extends beyond the window links only to the part inside it', async t => {
  const window = { fromMs, toMs: fromMs + 3.25 * minuteMs }
  const html = draw({ window, hrefFor: range => `${range.fromMs}-${range.toMs}` })
  const last = `${fromMs + 3 * minuteMs}-${window.toMs}`
  t.equal(all(html, /<a href="([^"]*)" tabindex="-1">/g).at(-1), last)
  t.equal(all(html, /<th scope="row"><a href="([^"]*)">/g).at(-1), last)
})

t.test(
  'a chart with a separate table page links to that page and contains neither tooltips nor a table',
  async t => {
    const chart = chartOf({
      tableHref: '/table',
      markers: [{ ms: fromMs + 1.5 * minuteMs, label: '1.4.2', tooltip: 'shop 1.4.2 first seen' }],
      series: [{ name: 'p95', tone: 'accent', values: [1, 2, null, 4], previousValues: [null, 8, 3, 0] }],
    })
    const html = drawSeries(chart).html ?? ''
    t.match(html, '<a href="/table" tabindex="-1"><rect')
    t.match(html, '<a class="chart-to-table" href="/table">Table</a>')
    t.notMatch(html, /<title|<table/)
    t.match(plotIn(drawSeries(chart)), {
      columns: 4,
      completeColumns: 4,
      series: [{ name: 'p95', values: [1, 2, null, 4], previousValues: [null, 8, 3, 0] }],
    })
    t.match(
      seriesTable(chart, bucketsFor(chart)).html,
      '<tr><th scope="row">13:03</th><td>1.4.2</td><td class="num">4</td>',
    )
  },
)

t.test('an incomplete bucket is striped, and is excluded from the line and the peak', async t => {
  const series = [
    { name: 'errors', tone: 'bad' as const, values: [1, 2, 3, 90], previousValues: [1, 1, 1, 80] },
  ]
  const line = { kind: 'line' as const, series, nowMs: fromMs + 3.5 * minuteMs }
  const html = draw(line)
  t.match(html, '<rect x="75%" width="25%" height="100%" fill="url(#rate-stripes)"/>')
  t.match(html, 'aria-label="Requests, per minute. errors: highest 3 at 13:02"')
  t.match(html, /class="chart-line"[^>]* d="M0 [\d.]+L1 [\d.]+ 2 [\d.]+"/)
  t.match(html, /class="chart-quiet"[^>]* d="M0 [\d.]+L1 [\d.]+ 2 [\d.]+"/)
  t.match(html, '<title>13:03, incomplete\nerrors: 90, previously 80</title>')
  t.match(html, '<th scope="row">13:02</th>')
  t.match(html, '<th scope="row">13:03, incomplete</th>', 'the table')
  t.notMatch(draw({ ...line, nowMs: fromMs + 4 * minuteMs }), 'stripes')
  t.match(draw({ ...line, kind: 'bar' }), 'errors: highest 90 at 13:03', 'a count only grows')
  const past = { fromMs, toMs: fromMs + 3.5 * minuteMs }
  t.match(
    draw({ ...line, window: past, nowMs: fromMs + 60 * minuteMs }),
    'stripes',
    'the window ends within the last bucket',
  )
})

t.test(
  'only the day that has not ended is incomplete, even if a clock change makes a day shorter or longer',
  async t => {
    const incompleteAt = (startHours: number[], nowHour: number) => {
      const at = (hour: number) => fromMs + hour * hourMs
      const window = { fromMs, toMs: at(nowHour) }
      const buckets = startHours.map((hour, index) => ({
        fromMs: at(hour),
        toMs: at(startHours[index + 1] ?? nowHour),
        label: `day ${index + 1}`,
        href: null,
      }))
      const series = [{ name: 'errors', tone: 'bad' as const, values: startHours }]
      const chart = chartOf({ kind: 'bar', window, nowMs: window.toMs, bucketMs: 24 * hourMs, series })
      return all(drawSeries(chart, buckets).html ?? '', /<title>(day \d), incomplete/g)
    }
    t.same(incompleteAt([0, 23, 47], 47.5), ['day 3'], 'the second day has ended early')
    t.same(incompleteAt([0, 25, 49], 72.5), ['day 3'], 'the third day ends late')
  },
)

t.test('an incomplete bucket is drawn if no other bucket has requests', async t => {
  const draws = (overrides: Partial<SeriesChart>, values: (number | null)[]) =>
    /class="chart-line"[^>]* d="([^"]*)"/.exec(
      draw({
        kind: 'line',
        nowMs: fromMs + 3.5 * minuteMs,
        series: [{ name: 'value', tone: 'accent', values }],
        ...overrides,
      }),
    )?.[1]
  t.match(draws({ format: 'duration' }, [null, null, null, 100]), /^M3 4m/, 'the axis fits the value')
  t.match(draws({ kind: 'area', format: '/min' }, [0, 0, 0, 90]), / 3 [\d.]+$/)
  t.match(draws({ kind: 'area', format: '/min' }, [0, 1, 0, 90]), / 2 [\d.]+$/)
  t.match(
    draws({ format: 'ratio' }, [0, null, null, 0.9]),
    /^M0 [\d.]+m-.5 0h1$/,
    'a bucket with an error rate of 0 has requests',
  )
})

t.test('an axis without values above zero ends at a small value', async t => {
  const labels = (overrides: Partial<SeriesChart>) =>
    all(
      /class="chart-values".*?<\/svg>/s.exec(
        draw({ kind: 'line', series: [{ name: 'errors', tone: 'bad', values: [0, 0, 0, 0] }], ...overrides }),
      )?.[0] ?? '',
      />([^<]+)<\/text>/g,
    )
  t.same(labels({ format: 'ratio' }), ['0%', '0.5%', '1%'])
  t.same(labels({ format: '/min' }), ['0/min', '0.5/min', '1/min'])
  const slow = [{ name: 'p95', tone: 'accent' as const, values: [20, 600, 1300, 1400] }]
  t.same(labels({ format: 'duration', series: slow }), ['0 s', '0.5 s', '1 s', '1.5 s'])
})

t.test('an axis of long durations has ticks at round minutes, hours or days', async t => {
  const labels = (highestMs: number) =>
    ticksUpTo(highestMs, 'duration').map(each => formatTick('duration', each, highestMs))
  t.same(labels(59_000), ['0 s', '20 s', '40 s', '1 min'])
  t.same(labels(80_000), ['0 s', '30 s', '1 min', '1 min 30 s'])
  t.same(labels(400_000), ['0 s', '5 min', '10 min'])
  t.same(labels(3_000_000), ['0 s', '20 min', '40 min', '1 h'])
  t.same(labels(9_000_000), ['0 s', '1 h', '2 h', '3 h'])
  t.same(labels(270_000_000), ['0 s', '2 d', '4 d'])
})

t.test('the ticks of an axis have different labels, however small or large its values are', async t => {
  const formats = ['count', '/s', '/min', '/day', 'ratio', 'duration'] as const
  const labels = (format: (typeof formats)[number], highest: number) => {
    const ticks = ticksUpTo(highest, format)
    return ticks.map(each => formatTick(format, each, ticks.at(-1) ?? 1))
  }
  t.same(labels('/min', 0.0042), ['0/min', '0.002/min', '0.004/min', '0.006/min'])
  t.same(labels('/day', 6), ['0/day', '2/day', '4/day', '6/day'])
  fc.assert(
    fc.property(
      fc.constantFrom(...formats),
      fc.integer({ min: -9, max: 11 }),
      fc.double({ min: 1, max: 10, noNaN: true }),
      (format, power, digits) => {
        const shown = labels(format, digits * 10 ** power)
        return new Set(shown).size === shown.length
      },
    ),
  )
})

t.test('each stacked bar starts at the top of the bar below it and ends at the sum', async t => {
  const html = draw({
    series: [
      { name: 'info', tone: 'info', values: [50] },
      { name: 'error', tone: 'error', values: [50] },
    ],
  })
  const [info, error] = all(html, /class="chart-bar"[^>]* d="([^"]*)"/g).map(path =>
    /^M\S+ ([\d.]+)V([\d.]+)/.exec(path ?? ''),
  )
  t.equal(info?.[1], '64', 'the first bar starts at the baseline')
  t.equal(error?.[1], info?.[2], 'the second bar starts at the top of the first bar')
  t.equal(error?.[2], '4', 'the sum fills the plot')
})

t.test('shows the previous period beside each value and includes it in the scale', async t => {
  const html = draw({
    kind: 'line',
    series: [{ name: 'p95', tone: 'accent', values: [1, 2, null, 4], previousValues: [null, 8, 3, 0] }],
  })
  t.match(html, '<title>13:00\np95: 1, previously –</title>')
  t.match(html, '<title>13:02\np95: –, previously 3</title>')
  t.match(html, '<th scope="col" class="num">previous p95</th>')
  t.same(all(html, /<td class="num">([^<]*)<\/td>/g), ['1', '–', '2', '8', '–', '3', '4', '0'])
  t.match(html, /class="chart-quiet" d="M1 32L2 102/, 'the axis ends at 10')
  t.match(html, '</svg>previous period</li>')
})

t.test('tooltips and tables show the markers of their bucket, else the newest one before it', async t => {
  const markerAt = (minutes: number, release: string) => ({
    ms: fromMs + minutes * minuteMs,
    label: release,
    tooltip: `shop ${release} first seen`,
  })
  const html = draw({ markers: [markerAt(2.6, '1.4.3'), markerAt(2.5, '1.4.2'), markerAt(1, '1.4.1')] })
  t.same(all(html, /<title>([^<]*)<\/title>/g), [
    '13:00\ninfo: 1',
    '13:01\ninfo: 20\nerror: –\nshop 1.4.1 first seen 13:01',
    '13:02\ninfo: 300\nerror: 2\nshop 1.4.2 first seen 13:02\nshop 1.4.3 first seen 13:02',
    '13:03\ninfo: 4,000\nerror: 1\nshop 1.4.3 first seen 13:02',
  ])
  t.match(
    html,
    '<th scope="col">Time</th><th scope="col">Newest release</th><th scope="col" class="num">info',
  )
  t.same(all(html, /<td>([^<]*)<\/td>/g), ['–', '1.4.1', '1.4.2, 1.4.3', '1.4.3'])
  t.notMatch(draw({ markers: [] }), 'Newest release')
})

t.test('a chart without values shows a message', async t => {
  t.match(
    draw({ series: [{ name: 'p95', tone: 'accent', values: [null, null] }] }),
    'No values in this range',
  )
  t.match(draw({ series: [] }), 'No values in this range')
  t.notMatch(draw({ series: [{ name: 'errors', tone: 'bad', values: [0, 0] }] }), 'No values')
})

t.test('property: names, titles, units and links are escaped', async () => {
  const shape = (text: string) => {
    const html = draw({
      title: text,
      unit: text,
      series: [
        { name: text, tone: 'info', values: [1, null] },
        { name: text, tone: 'error', values: [2, 3] },
      ],
      hrefFor: () => text,
    })
    return html
      .replace(/data-plot='[^']*'/, '')
      .replace(/"[^"]*"/g, '""')
      .replace(/>[^<]*</g, '><')
  }
  const expected = shape('name')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: anyCharacter }),
        fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '=', '-', '!', 'a', ' ', '\n') }),
      ),
      text => shape(text) === expected,
    ),
  )
})
