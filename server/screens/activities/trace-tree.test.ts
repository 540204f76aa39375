import fc from 'fast-check'
import t from 'tap'
import { layOut } from './trace-layout.ts'
import { type Nestable, nest } from './trace-tree.ts'

const event = (id: number, startMs: number, endMs: number, overrides: Partial<Nestable> = {}): Nestable => ({
  id,
  timeMs: endMs,
  durationMs: endMs > startMs ? endMs - startMs : null,
  service: 'shop',
  requestId: null,
  spanId: null,
  attributes: {},
  ...overrides,
})
const span = (
  id: number,
  startMs: number,
  endMs: number,
  spanId: string,
  parentSpanId?: string,
  service = spanId,
) =>
  event(id, startMs, endMs, {
    spanId,
    service,
    attributes: parentSpanId === undefined ? {} : { parentSpanId },
  })

/** Nests events without the pauses between them. */
const nestEvents = (events: readonly Nestable[]) =>
  nest(layOut(events).lines.filter(({ kind }) => kind === 'event'))

/** Returns the ids of the events, indented by their level. A pause is `-`. */
function treeOf(events: readonly Nestable[], { lines } = nestEvents(events)): string {
  return lines.map(line => ' '.repeat(line.depth) + (line.kind === 'gap' ? '-' : line.event.id)).join('\n')
}
const tree = (...lines: string[]) => lines.join('\n')

t.test('a span is nested in the span that called it, whatever their times', async t => {
  const events = [
    span(1, 0, 100, 'a'),
    // Starts before its caller, because its clock is behind.
    span(2, -50, 20, 'b', 'A'),
    span(3, 30, 90, 'c', 'a'),
    span(4, 40, 80, 'd', 'c'),
  ]
  t.equal(treeOf(events), tree('1', ' 2', ' 3', '  4'))
  t.equal(nestEvents(events).by, 'span')
  t.same(
    nestEvents(events).lines.map(({ nested }) => nested),
    [3, 0, 1, 0],
  )
})

t.test('an event is nested in its span or, without one, in the span of its service and request', async t => {
  const events = [
    span(1, 0, 100, 'a'),
    span(2, 10, 60, 'b', 'a', 'shop'),
    // Two concurrent spans of one service. An event without a span id belongs to the one with its request id.
    { ...span(3, 10, 80, 'c', 'a', 'pay'), requestId: 'r1' },
    { ...span(4, 20, 90, 'd', 'a', 'pay'), requestId: 'r2' },
    event(5, 95, 95, { spanId: 'b', service: 'other' }),
    event(6, 30, 30),
    event(7, 30, 30, { service: 'pay', requestId: 'r2' }),
    // Could belong to either span, so it belongs to the span around both.
    event(8, 31, 31, { service: 'pay' }),
    event(9, 32, 32, { service: 'unknown' }),
  ]
  t.equal(treeOf(events), tree('1', ' 3', ' 2', '  6', '  5', ' 4', '  7', ' 8', ' 9'))
})

t.test('an event of a service without spans is nested at its time in the innermost span', async t => {
  const events = [
    span(1, 0, 145, 'a', undefined, 'gateway'),
    span(2, 1.2, 103, 'b', 'a', 'checkout'),
    event(3, 2.2, 2.2, { spanId: 'b', service: 'checkout' }),
    event(4, 3.2, 3.2, { service: 'inventory' }),
    event(5, 4.2, 4.2, { spanId: 'b', service: 'checkout' }),
    event(6, 120, 120, { service: 'inventory' }),
    event(7, 150, 150, { service: 'inventory' }),
  ]
  const nested = nest(layOut(events).lines)
  t.equal(treeOf(events, nested), tree('1', ' 2', '  3', '  4', '  5', '  -', ' 6', ' -', '7'))
  t.equal(nested.by, 'time')
})

t.test('an event of a service without spans belongs to a span around all that overlap', async t => {
  const calls = [span(1, 0, 100, 'a'), span(2, 10, 60, 'b', 'a'), span(3, 20, 80, 'c', 'a')]
  const logged = event(4, 30, 30)
  t.equal(treeOf([...calls, logged]), tree('1', ' 2', ' 3', ' 4'))
  t.equal(treeOf([...calls.slice(1), logged]), tree('2', '3', '4'), 'no span is around both')
})

t.test('parents determine which span is the innermost, because clocks differ', async t => {
  const root = span(1, 0, 100, 'a')
  t.equal(
    treeOf([root, span(2, -20, 70, 'b', 'a'), event(3, 30, 30)]),
    tree('1', ' 2', '  3'),
    'starts before its caller',
  )
  t.equal(
    treeOf([root, span(2, -20, 120, 'b', 'a'), event(3, 30, 30)]),
    tree('1', ' 2', '  3'),
    'seems to contain its caller',
  )
})

t.test('without parent spans, a span is nested in the shortest span that contains it', async t => {
  const events = [
    event(1, 0, 100),
    event(2, 10, 60, { service: 'api' }),
    event(3, 20, 50, { service: 'pay' }),
    event(4, 55, 90, { service: 'pay' }),
    // Within two spans, neither of which contains the other.
    event(5, 56, 58, { service: 'mail' }),
  ]
  t.equal(nestEvents(events).by, 'time')
  t.equal(treeOf(events), tree('1', ' 2', '  3', ' 4', ' 5'))
})

t.test('a span is nested although log times are whole milliseconds and durations are not', async t => {
  const logged = (id: number, timeMs: number, durationMs: number, service: string) =>
    event(id, timeMs - durationMs, timeMs, { service, durationMs })
  t.equal(
    treeOf([logged(1, 416, 21.2, 'web'), logged(2, 415, 20.5, 'api')]),
    tree('1', ' 2'),
    'starts earlier',
  )
  t.equal(treeOf([logged(1, 415, 21.2, 'web'), logged(2, 416, 20.5, 'api')]), tree('1', ' 2'), 'ends later')
  t.equal(
    treeOf([logged(1, 415, 21.2, 'web'), logged(2, 417, 20.5, 'api')]),
    tree('1', '2'),
    'ends 2 ms later',
  )
  t.equal(treeOf([event(1, 0, 0.4), event(2, 0.4, 0.9)]), tree('1', '2'), 'short spans in a row')
})

t.test('a span whose caller is not stored is nested in the shortest span that contains it', async t => {
  const events = [
    span(1, 0, 100, 'a'),
    // The parents of `b` and `c` are client spans, which are not stored.
    span(2, 10, 80, 'b', 'to b'),
    span(3, 20, 60, 'c', 'to c'),
    span(4, 30, 110, 'd', 'c'),
  ]
  t.equal(treeOf(events), tree('1', ' 2', '  3', '   4'))
  t.equal(nestEvents(events).by, 'time')
  t.equal(
    treeOf([span(1, 0, 100, 'a'), span(2, 10, 80, 'b'), span(3, 20, 60, 'c', 'b')]),
    tree('1', '2', ' 3'),
  )
})

t.test('concurrent calls to a service or with the same unknown parent are siblings', async t => {
  const root = span(1, 0, 100, 'a')
  const calls = (parents: [string, string], services: [string, string]) => [
    root,
    span(2, 10, 80, 'b', parents[0], services[0]),
    span(3, 20, 60, 'c', parents[1], services[1]),
  ]
  t.equal(treeOf(calls(['x', 'y'], ['pay', 'pay'])), tree('1', ' 2', ' 3'))
  t.equal(treeOf(calls(['x', 'x'], ['pay', 'stock'])), tree('1', ' 2', ' 3'))
})

t.test('a span is never nested by time in a span that it called', async t => {
  // The clock of `b` is wrong, so that the called span seems to contain its caller.
  const events = [span(1, 0, 100, 'a'), span(2, 10, 90, 'c', 'b'), span(3, 20, 80, 'b', 'lost')]
  t.equal(treeOf(events), tree('1', ' 3', '  2'))
})

t.test('`by` is `span` if the spans have parents and only log lines are nested by time', async t => {
  const spans = [span(1, 0, 100, 'a', undefined, 'shop'), span(2, 10, 20, 'b', 'a')]
  t.equal(nestEvents([...spans, event(3, 50, 50)]).by, 'span')
  t.equal(nestEvents([event(1, 0, 100), event(3, 50, 50)]).by, 'time')
  t.equal(nestEvents([event(1, 0, 100)]).by, 'span', 'nothing is nested')
})

t.test('parent ids in log lines do not turn spans into roots', async t => {
  const events = [
    span(1, 0, 100, 'a'),
    span(2, 10, 80, 'b'),
    event(3, 20, 20, { spanId: 'inner', attributes: { parentSpanId: 'b' } }),
  ]
  t.equal(treeOf(events), tree('1', ' 2', '  3'))
})

t.test('unknown, shared and circular parents do not hide events', async t => {
  t.equal(treeOf([span(1, 0, 100, 'a'), span(2, 90, 120, 'b', 'lost')]), tree('1', '2'))
  t.equal(
    treeOf([span(1, 0, 100, 'a'), span(2, 0, 90, 'a'), span(3, 10, 80, 'b', 'a')]),
    tree('1', '2', ' 3'),
    'two spans with the same id',
  )
  t.equal(treeOf([span(1, 0, 100, 'a', 'b'), span(2, 10, 90, 'b', 'a')]), tree('2', ' 1'))
  t.equal(treeOf([span(1, 0, 100, 'a', 'a')]), '1')
})

t.test('a pause is nested in the shortest span that contains it', async t => {
  const events = [span(1, 0, 1000, 'a'), span(2, 100, 900, 'b', 'a'), span(3, 880, 890, 'c', 'b')]
  t.equal(treeOf(events, nest(layOut(events).lines)), tree('1', ' -', ' 2', '  -', '  3', ' -'))
})

t.test('a pause is shown below the event that precedes it, even if it is in another span', async t => {
  const events = [event(1, 0, 42), event(2, 3, 60, { service: 'api' }), event(3, 5, 5, { service: 'pay' })]
  t.equal(treeOf(events, nest(layOut(events).lines)), tree('1', '2', '3', '-'))
})

t.test('shows every line once, below its parent, with the right number of nested events', async t => {
  const ids = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { nil: null })
  const events = fc.uniqueArray(
    fc.record({
      id: fc.nat(),
      timeMs: fc.integer({ min: 0, max: 2000 }),
      durationMs: fc.option(fc.integer({ min: -5, max: 1500 })),
      service: fc.constantFrom('shop', 'pay'),
      requestId: ids,
      spanId: ids,
      attributes: fc.oneof(
        fc.record({ parentSpanId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f') }),
        fc.constant({}),
      ),
    }),
    { selector: ({ id }) => id, maxLength: 40 },
  )
  fc.assert(
    fc.property(events, events => {
      const { lines } = layOut(events)
      const nested = nest(lines).lines
      const keys = (all: typeof lines) =>
        all.map(line => (line.kind === 'event' ? line.event.id : `gap ${line.left}`)).sort()
      t.same(keys(nested), keys(lines))
      for (const [index, line] of nested.entries()) {
        const above = nested[index - 1]?.depth ?? -1
        t.ok(line.depth <= above + 1, 'at most one level deeper')
        const end = nested.findIndex((each, other) => other > index && each.depth <= line.depth)
        const sibling = nested[end]
        if (line.kind === 'event' && sibling?.kind === 'event' && sibling.depth === line.depth) {
          t.ok(line.offsetMs <= sibling.offsetMs, 'siblings are ordered by start time')
        }
        const within = nested.slice(index + 1, end < 0 ? nested.length : end)
        t.equal(line.nested, within.filter(({ kind }) => kind === 'event').length)
      }
    }),
    { numRuns: 300 },
  )
})
