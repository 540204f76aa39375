import fc from 'fast-check'
import t from 'tap'
import type { EventRow } from '../../../shared/event.ts'
import {
  arrivedCount,
  type LiveAction,
  liveRows,
  maxLiveRows,
  noLiveRows,
  waitingCount,
} from './live-rows.ts'

function row(id: number): EventRow {
  return {
    id,
    timeMs: id,
    severity: 'info',
    service: 'shop',
    release: null,
    source: 'ndjson',
    body: '',
    requestId: null,
    traceId: null,
    method: null,
    route: null,
    status: null,
    durationMs: null,
    digest: null,
    fingerprint: null,
    exceptionType: null,
    exceptionMessage: null,
  }
}
const events = (from: number, to: number, isHidden = false, missed = 0): LiveAction => ({
  kind: 'events',
  missed,
  events: Array.from({ length: to - from + 1 }, (_, index) => row(from + index)),
  isHidden,
})
const after = (...actions: LiveAction[]) => actions.reduce(liveRows, noLiveRows)
const ids = (rows: { event: EventRow }[]) => rows.map(({ event }) => event.id)

t.test('shows new events at the top, newest first, without duplicates', async t => {
  const live = after(events(1, 2), events(2, 4))
  t.same(ids(live.shown), [4, 3, 2, 1])
  t.equal(arrivedCount(live, 0), 4)
})

t.test('shows an event that arrives after others with greater ids', async t => {
  const live = after(events(1, 1), events(5, 6), events(3, 4), events(3, 4))
  t.same(ids(live.shown), [4, 3, 6, 5, 1])
})

t.test('hides new events while the visitor reads, and shows them later', async t => {
  const hidden = after(events(1, 2), events(3, 4, true), events(5, 5, true))
  t.same(ids(hidden.shown), [2, 1])
  t.equal(waitingCount(hidden), 3)
  t.same(ids(liveRows(hidden, { kind: 'show' }).shown), [5, 4, 3, 2, 1])
  t.same(ids(liveRows(hidden, events(6, 6)).shown), [6, 5, 4, 3, 2, 1], 'shown together with the next events')
})

t.test('records how many events are missing below a row', async t => {
  const live = after(events(1, 2), events(1, 2, false, 5), events(10, 11, false, 2))
  t.same(
    live.shown.map(({ event, missedBelow }) => [event.id, missedBelow]),
    [
      [11, 0],
      [10, 7],
      [2, 0],
      [1, 0],
    ],
  )
  t.equal(arrivedCount(live, 0), 11)
})

t.test('another feed clears the rows; restarting the same feed preserves them', async t => {
  const first = after({ kind: 'start', href: '/live?after=1' }, events(2, 3))
  t.same(ids(liveRows(first, { kind: 'start', href: '/live?after=1' }).shown), [3, 2])
  t.same(ids(liveRows(first, { kind: 'start', href: '/live?after=3' }).shown), [])
})

t.test('limits the number of rows, and counts every event as shown or missing', async t => {
  const action = fc.oneof(
    fc.record({ size: fc.integer({ min: 1, max: 900 }), isHidden: fc.boolean() }),
    fc.record({ missed: fc.integer({ min: 1, max: 1000 }) }),
    fc.constant('show' as const),
  )
  fc.assert(
    fc.property(fc.array(action, { maxLength: 12 }), actions => {
      let live = noLiveRows
      let newest = 0
      for (const each of actions) {
        if (each === 'show') live = liveRows(live, { kind: 'show' })
        else if ('missed' in each) {
          newest += each.missed
          live = liveRows(live, { kind: 'events', missed: each.missed, events: [], isHidden: false })
        } else {
          live = liveRows(live, events(newest + 1, newest + each.size, each.isHidden))
          newest += each.size
        }
      }
      const shown = liveRows(live, { kind: 'show' })
      t.ok(shown.shown.length <= maxLiveRows && live.waiting.length <= maxLiveRows)
      t.equal(arrivedCount(live, 0), newest)
    }),
    { numRuns: 60 },
  )
})

t.test('fills a gap, and counts the events that are still missing', async t => {
  const rows = after(events(1, 3), events(9, 10, false, 5))
  const fill = (below: number, ...found: number[]): LiveAction => ({
    kind: 'fill',
    below,
    events: found.map(row),
  })
  const some = liveRows(rows, fill(9, 8, 7, 3))
  t.same(ids(some.shown), [10, 9, 8, 7, 3, 2, 1])
  t.equal(some.shown.find(({ event }) => event.id === 7)?.missedBelow, 3)
  const all = liveRows(some, fill(7, 6, 5, 4))
  t.same(ids(all.shown), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  t.equal(arrivedCount(all, 0), 10)
  const gone = liveRows(rows, fill(9))
  t.equal(arrivedCount(gone, 0), 5, 'events deleted by the retention policy no longer count as missing')
  t.equal(liveRows(rows, fill(77, 8)).shown.length, 5)
})
