import fc from 'fast-check'
import t from 'tap'
import { drawHeatMap } from './draw-heat-map.ts'
import type { HeatMap } from './heat-map-types.ts'
import { formatShade, shadeOf, shadeStarts } from './shades.ts'

const fromMs = Date.UTC(2026, 10, 21, 13)
const minuteMs = 60_000

function mapOf(over: Partial<HeatMap> = {}): HeatMap {
  return {
    name: 'durations',
    title: 'Durations',
    unit: 'requests',
    window: { fromMs, toMs: fromMs + 2 * minuteMs },
    clock: { timeZone: 'UTC', clock: '24h' },
    bucketMs: minuteMs,
    bands: [
      { label: 'under 10 ms', edge: null, of: '/log?q=fast&' },
      { label: '10 ms and more', edge: '10 ms', of: '/log?q=slow&' },
    ],
    rows: [
      [1, 4000],
      [0, 20],
    ],
    markers: [],
    during: 'at=all',
    all: '/log?',
    ...over,
  }
}
const columns = [
  { label: '13:00', during: 'at=0' },
  { label: '13:01', during: 'at=1' },
]
const draw = (over?: Partial<HeatMap>) => drawHeatMap(mapOf(over), columns).html ?? ''
const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(match => match.slice(1))

t.test('draws a cell with count and link at its time and band; no cell for a count of 0', async t => {
  const cells = all(
    draw(),
    /<a href="([^"]*)" tabindex="-1"><rect x="(\d+)" y="(\d+)"\/><title>([^<]*)<\/title>/g,
  )
  t.same(cells, [
    ['/log?q=fast&amp;at=0', '0', '1', '13:00, under 10 ms\nrequests: 1'],
    ['/log?q=slow&amp;at=1', '1', '0', '13:01, 10 ms and more\nrequests: 20'],
    ['/log?q=fast&amp;at=1', '1', '1', '13:01, under 10 ms\nrequests: 4,000'],
  ])
})

t.test('the table contains all counts and links to each time and band', async t => {
  const html = draw()
  t.same(all(html, /<td>([^<]*)</g).flat(), ['1', '0', '4,000', '20'])
  t.same(all(html, /<th scope="col"><a href="([^"]*)">([^<]*)</g), [
    ['/log?q=fast&amp;at=all', 'under 10 ms'],
    ['/log?q=slow&amp;at=all', '10 ms and more'],
  ])
  t.same(all(html, /<th scope="row"><a href="([^"]*)">([^<]*)</g), [
    ['/log?at=0', '13:00'],
    ['/log?at=1', '13:01'],
  ])
})

t.test('the text alternative describes the maximum', async t => {
  t.match(draw(), 'most, 4,000, at 13:01 in under 10 ms"')
  t.match(draw({ rows: [[0, 0], []] }), 'by time and duration: none"')
})

t.test('property: names, units and links are escaped', async () => {
  const shape = (text: string) =>
    draw({
      title: text,
      unit: text,
      bands: [
        { label: text, edge: text, of: text },
        { label: text, edge: null, of: text },
      ],
      all: text,
      during: text,
      markers: [{ ms: fromMs, label: text.slice(0, 5), words: text }],
    })
      .replace(/"[^"]*"/g, '""')
      .replace(/>[^<]*</g, '><')
  const expected = shape('name')
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '=', '-', '!', 'a', ' ', '\n') }),
      text => shape(text) === expected,
    ),
  )
})

t.test('property: every count has a shade and is in the range of its legend', async () => {
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

t.test('draws markers at their times, and omits labels that do not fit', async t => {
  const markers = [
    { ms: fromMs + minuteMs, label: '1.4.1', words: '' },
    { ms: fromMs + 1.02 * minuteMs, label: '1.4.2', words: '' },
    { ms: fromMs + 1.99 * minuteMs, label: 'a-long-service-name 2.0.0-rc.1', words: '' },
    { ms: fromMs + 5 * minuteMs, label: 'elsewhere', words: '' },
  ]
  const html = draw({ markers })
  t.same(all(html, /<line x1="([^"]*)" x2="[^"]*" y1="0"/g).flat(), ['99.5%', '51%', '50%'])
  t.same(all(html, /y="-4" data-from="(\d+)"([^>]*)>([^<]*)</g), [
    ['250', ' text-anchor="end"', 'a-long-service-name 2.0…'],
    ['500', ' text-anchor="end"', '1.4.2'],
  ])
  t.same(all(draw({ markers: markers.slice(0, 2) }), /y="-4" data-from="(\d+)"([^>]*)>([^<]*)</g), [
    ['250', ' text-anchor="end"', '1.4.2'],
  ])
})
