import fc from 'fast-check'
import t from 'tap'
import { startOf } from '../../../shared/start-of.ts'
import { layOut, type Timed } from './trace-layout.ts'

const timed = fc.record({
  id: fc.nat(),
  timeMs: fc.oneof(
    fc.integer({ min: 1_700_000_000_000, max: 1_700_000_005_000 }),
    fc.double({ min: -8e15, max: 8e15, noNaN: true }),
  ),
  durationMs: fc.option(
    fc.oneof(
      fc.double({ min: 0, max: 10_000, noNaN: true }),
      fc.double({ min: -1e18, max: 1e18, noNaN: true }),
    ),
  ),
})
const events = fc.uniqueArray(timed, { selector: ({ id }) => id, maxLength: 60 })

t.test('lays out every event once, ordered by start time, within the axis', async t => {
  fc.assert(
    fc.property(events, events => {
      const { lines, lengthMs } = layOut(events)
      t.ok(lengthMs >= 0)
      const placed = lines.flatMap(line => (line.kind === 'event' ? [line] : []))
      const ids = (all: readonly Timed[]) => all.map(({ id }) => id).sort((a, b) => a - b)
      t.same(ids(placed.map(({ event }) => event)), ids(events))
      for (const [index, { event, offsetMs }] of placed.entries()) {
        t.ok(offsetMs >= 0)
        const before = placed[index - 1]
        if (before !== undefined) t.ok(startOf(before.event) <= startOf(event))
      }
      for (const { left, width } of lines) {
        t.ok(left >= 0 && width >= 0, `${left} ${width}`)
        // Positions are rounded to two decimals.
        t.ok(left + width <= 100.01, `${left} ${width}`)
      }
    }),
    { numRuns: 200 },
  )
})

t.test('no event starts or ends within a reported pause', async t => {
  fc.assert(
    fc.property(events, events => {
      const { lines, lengthMs, fromMs } = layOut(events)
      const marks = events.flatMap(event => [startOf(event), event.timeMs])
      for (const line of lines) {
        if (line.kind !== 'gap') continue
        const startMs = fromMs + (line.left / 100) * lengthMs
        const slackMs = lengthMs / 5_000
        const inside = marks.filter(ms => ms > startMs + slackMs && ms < startMs + line.gapMs - slackMs)
        t.same(inside, [])
        t.ok(line.gapMs >= lengthMs * 0.1)
      }
    }),
    { numRuns: 200 },
  )
})

t.test('an event with a duration ends at its log time', async t => {
  const { fromMs, lengthMs, lines } = layOut([
    { id: 3, timeMs: 1600, durationMs: 600 },
    { id: 1, timeMs: 1000, durationMs: null },
    { id: 2, timeMs: 1250, durationMs: 250 },
    { id: 4, timeMs: 2000, durationMs: null },
  ])
  t.equal(fromMs, 1000)
  t.equal(lengthMs, 1000)
  t.match(lines, [
    { kind: 'event', event: { id: 3 }, offsetMs: 0, left: 0, width: 60 },
    { kind: 'event', event: { id: 2 }, offsetMs: 0, left: 0, width: 25 },
    { kind: 'event', event: { id: 1 }, left: 0, width: 0 },
    { kind: 'gap', gapMs: 250 },
    { kind: 'gap', gapMs: 350, left: 25, width: 35 },
    { kind: 'gap', gapMs: 400, left: 60, width: 40 },
    { kind: 'event', event: { id: 4 }, offsetMs: 1000, left: 100, width: 0 },
  ])
})

t.test('places a single event at the start, and returns no lines if there are no events', async t => {
  t.match(layOut([{ id: 1, timeMs: 5, durationMs: null }]), { lengthMs: 0, lines: [{ left: 0, width: 0 }] })
  t.match(layOut([]), { lengthMs: 0, lines: [] })
})
