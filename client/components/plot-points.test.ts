import t from 'tap'
import type { PlotTimes } from '../../shared/chart-plot.ts'
import { pointsOf } from './plot-points.ts'

const fromMs = Date.UTC(2026, 10, 21, 13)
const minuteMs = 60_000
/** The second column ends after the window. */
const times: PlotTimes = {
  window: { fromMs, toMs: fromMs + 1.5 * minuteMs },
  bucketMs: minuteMs,
  labels: ['13:00', '13:01'],
  markers: [{ column: 1, tooltip: 'shop 1.4.2 first seen' }],
}
const first = 'from=2026-11-21T13:00Z&to=2026-11-21T13:01Z'
const second = 'from=2026-11-21T13:01Z&to=2026-11-21T13:01:30Z'

t.test('a column shows current and previous values and releases, and links to its events', async t => {
  const points = pointsOf(
    {
      kind: 'series',
      search: '/activities?q=all&',
      series: [
        { name: 'p50', values: ['1 ms', '2 ms'] },
        { name: 'p95', values: ['8 ms', '–'], previousValues: ['–', '7 ms'] },
      ],
    },
    times,
  )
  t.same(points, [
    { x: 0, y: 0, text: '13:00\np50: 1 ms\np95: 8 ms, previously –', href: `/activities?q=all&${first}` },
    {
      x: 1,
      y: 0,
      text: '13:01\np50: 2 ms\np95: –, previously 7 ms\nshop 1.4.2 first seen',
      href: `/activities?q=all&${second}`,
    },
  ])
})

t.test('a chart without links has only tooltips', async t => {
  const plot = { kind: 'series' as const, search: null, series: [] }
  t.same(
    pointsOf(plot, times).map(({ href }) => href),
    [null, null],
  )
})

t.test(
  'heat map cells show their count and link to their events; cells with a count of 0 are omitted',
  async t => {
    const points = pointsOf(
      {
        kind: 'map',
        unit: 'requests',
        bands: [
          { label: 'under 10 ms', search: '/activities?q=fast&', counts: [1, 4000] },
          { label: '10 ms and more', search: '/activities?q=slow&', counts: [0, 20] },
        ],
      },
      times,
    )
    t.same(points, [
      { x: 0, y: 1, text: '13:00, under 10 ms\nrequests: 1', href: `/activities?q=fast&${first}` },
      { x: 1, y: 1, text: '13:01, under 10 ms\nrequests: 4,000', href: `/activities?q=fast&${second}` },
      { x: 1, y: 0, text: '13:01, 10 ms and more\nrequests: 20', href: `/activities?q=slow&${second}` },
    ])
  },
)
