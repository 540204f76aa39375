import t from 'tap'
import type { MapPlot, SeriesPlot } from '../../shared/chart-plot.ts'
import { hrefOfPoint, pointsOf } from './chart-points.ts'

const fromMs = Date.UTC(2026, 10, 21, 13)
const minuteMs = 60_000
/** The second column ends after the window. */
const shared = {
  window: { fromMs, toMs: fromMs + 1.5 * minuteMs },
  bucketMs: minuteMs,
  columns: 2,
  completeColumns: 1,
}
const line: SeriesPlot = {
  ...shared,
  kind: 'line',
  format: 'duration',
  eventsHref: '/activities?q=all&',
  series: [],
}
const map: MapPlot = {
  ...shared,
  kind: 'map',
  noun: 'request',
  eventsHref: '/activities?q=',
  bands: [
    { label: 'under 10 ms', search: 'fast&', counts: [1, 4000] },
    { label: '10 ms or more', search: 'slow&', counts: [0, 20] },
  ],
}
const first = 'from=2026-11-21T13:00Z&to=2026-11-21T13:01Z'
const second = 'from=2026-11-21T13:01Z&to=2026-11-21T13:01:30Z'

t.test('each column is a point that links to its events within the window', async t => {
  t.same(pointsOf(line), [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
  ])
  t.equal(hrefOfPoint(line, { x: 0, y: 0 }), `/activities?q=all&${first}`)
  t.equal(hrefOfPoint(line, { x: 1, y: 0 }), `/activities?q=all&${second}`)
  const { eventsHref: _, ...unlinked } = line
  t.equal(hrefOfPoint(unlinked, { x: 1, y: 0 }), null)
})

t.test('the points of a heat map are its non-empty cells', async t => {
  t.same(pointsOf(map), [
    { x: 0, y: 1 },
    { x: 1, y: 1 },
    { x: 1, y: 0 },
  ])
  t.equal(hrefOfPoint(map, { x: 0, y: 1 }), `/activities?q=fast&${first}`)
  t.equal(hrefOfPoint(map, { x: 1, y: 0 }), `/activities?q=slow&${second}`)
  t.equal(hrefOfPoint(map, { x: 0, y: 0 }), null, 'an empty cell has no events')
})
