import fc from 'fast-check'
import t from 'tap'
import { drawHeatMap } from './draw-heat-map.ts'
import type { HeatMap } from './heat-map-types.ts'
import { heatTable } from './heat-table.ts'
import { mapPlot } from './plot.ts'
import { formatShade, shadeOf, shadeStarts } from './shades.ts'

const fromMs = Date.UTC(2026, 10, 21, 13)
const minuteMs = 60_000

function mapOf(overrides: Partial<HeatMap> = {}): HeatMap {
  return {
    name: 'durations',
    title: 'Durations',
    noun: 'request',
    window: { fromMs, toMs: fromMs + 2 * minuteMs },
    clock: { timeZone: 'UTC', clock: '24h' },
    nowMs: fromMs + 90_000,
    bucketMs: minuteMs,
    bands: [
      { label: 'under 10 ms', edge: null, searchHref: '/log?q=fast&' },
      { label: '10 ms or more', edge: '10 ms', searchHref: '/log?q=slow&' },
    ],
    rows: [
      [1, 4000],
      [0, 20],
    ],
    markers: [],
    windowParams: 'at=all',
    allRowsHref: '/log?',
    tableHref: '/table?of=durations',
    ...overrides,
  }
}
const columns = [
  { fromMs, toMs: fromMs + minuteMs, label: '13:00', windowParams: 'at=0' },
  { fromMs: fromMs + minuteMs, toMs: fromMs + 2 * minuteMs, label: '13:01', windowParams: 'at=1' },
]
const draw = (overrides?: Partial<HeatMap>) => drawHeatMap(mapOf(overrides), columns).html ?? ''
const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(match => match.slice(1))

t.test('draws one path per shade, with each cell at its time and band, and skips counts of 0', async t => {
  const shades = all(draw(), /<path data-shade="(\d)" d="([^"]*)"\/>/g)
  t.same(
    // Excludes the legend squares.
    shades.filter(([, cells]) => cells !== '' && cells !== 'M0 0h1v1h-1z'),
    [
      ['1', 'M0 1h1v1h-1zM1 0h1v1h-1z'],
      ['6', 'M1 1h1v1h-1z'],
    ],
  )
})

t.test('positions of cells with the same shade are relative within a row', async t => {
  t.match(draw({ rows: [[9, 9, 1, 9], [9]] }), 'd="M0 1h1v1h-1zm1 0h1v1h-1zm2 0h1v1h-1zM0 0h1v1h-1z"')
})

t.test('the browser receives the counts of each band', async t => {
  t.match(mapPlot(mapOf(), 2), {
    kind: 'map',
    noun: 'request',
    columns: 2,
    completeColumns: 1,
    eventsHref: '/log?q=',
    bands: [
      { label: 'under 10 ms', search: 'fast&', counts: [1, 4000] },
      { label: '10 ms or more', search: 'slow&', counts: [0, 20] },
    ],
  })
})

t.test('stripes cover the current, incomplete minute', async t => {
  t.match(draw(), '<rect x="50%" width="50%" height="100%" fill="url(#durations-stripes)"/>')
  t.notMatch(draw({ nowMs: fromMs + 2 * minuteMs }), 'stripes')
})

t.test('the heat map links to its table', async t => {
  t.match(draw(), '<a href="/table?of=durations" tabindex="-1"><rect')
  t.match(draw(), '<a class="chart-to-table" href="/table?of=durations">Table</a>')
})

t.test('the table contains all counts, with a link for each time, band and nonzero count', async t => {
  const html = heatTable(mapOf(), columns).html ?? ''
  t.same(all(html, /<td>(?:<a href="([^"]*)">)?([^<]*)</g), [
    ['/log?q=fast&amp;at=0', '1'],
    [undefined, '0'],
    ['/log?q=fast&amp;at=1', '4,000'],
    ['/log?q=slow&amp;at=1', '20'],
  ])
  t.same(all(html, /<th scope="col"><a href="([^"]*)">([^<]*)</g), [
    ['/log?q=fast&amp;at=all', 'under 10 ms'],
    ['/log?q=slow&amp;at=all', '10 ms or more'],
  ])
  t.same(all(html, /<th scope="row"><a href="([^"]*)">([^<]*)</g), [
    ['/log?at=0', '13:00'],
    ['/log?at=1', '13:01, incomplete'],
  ])
})

t.test('the table shows the newest release in each bucket', async t => {
  const map = mapOf({ markers: [{ ms: fromMs + minuteMs, label: '1.4.2', tooltip: '' }] })
  const html = heatTable(map, columns).html ?? ''
  t.match(
    html,
    '<th scope="col">Time</th><th scope="col" class="release">Newest release</th><th scope="col"><a',
  )
  t.same(all(html, /<td class="release">([^<]*)<\/td>/g).flat(), ['–', '1.4.2'])
})

t.test('the text alternative describes the maximum', async t => {
  t.match(draw(), 'highest 4,000 at 13:01, under 10 ms"')
  t.match(draw({ rows: [[0, 0], []] }), 'by time and duration: none"')
})

t.test('property: names, nouns and links are escaped', async () => {
  const shape = (text: string) => {
    const map = mapOf({
      title: text,
      noun: text,
      bands: [
        { label: text, edge: text, searchHref: text },
        { label: text, edge: null, searchHref: text },
      ],
      allRowsHref: text,
      windowParams: text,
      markers: [{ ms: fromMs, label: text.slice(0, 5), tooltip: text }],
      tableHref: text,
    })
    return `${drawHeatMap(map, columns).html}${heatTable(map, columns).html}`
      .replace(/data-plot='[^']*'/, '')
      .replace(/"[^"]*"/g, '""')
      .replace(/>[^<]*</g, '><')
  }
  const expected = shape('name')
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '=', '-', '!', 'a', ' ', '\n') }),
      text => shape(text) === expected,
    ),
  )
})

t.test('property: every count has a shade, and the legend range of the shade includes it', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (highest, share) => {
        const starts = shadeStarts(highest)
        const count = Math.max(1, Math.round(highest * share))
        const shade = shadeOf(count, starts)
        const words = formatShade(shade, starts, highest).replaceAll(',', '').split('–')
        const [from = Number.NaN, to = from] = words.map(Number)
        return (
          starts.length <= 6 &&
          starts[0] === 1 &&
          starts.every((start, index) => index === 0 || start > (starts[index - 1] ?? 0)) &&
          shade >= 1 &&
          shade <= shadeOf(highest, starts) &&
          count >= from &&
          count <= to
        )
      },
    ),
  )
})
