import type { LogEvent } from '../../../shared/event.ts'
import { type Line, startOf } from './trace-layout.ts'
import { parentSpanOf } from './trace-spans.ts'

/** The fields that determine where an event is nested. */
export type Nestable = Pick<
  LogEvent,
  'id' | 'timeMs' | 'durationMs' | 'service' | 'requestId' | 'spanId' | 'attributes'
>

/** A line with its level, which is 0 for the outermost lines, and the number of events nested in it at any level. */
export type NestedLine<Event> = Line<Event> & { depth: number; nested: number }

type EventLine<Event> = Extract<Line<Event>, { kind: 'event' }>

/**
 * Nests the lines of a trace. Returns each line before the lines nested in it. Siblings keep their order.
 *
 * A span belongs to the span that called it, and an event to the span in which it was logged. An event without a span belongs
 * to the shortest span of its service at that time, unless that is ambiguous. If no event has a parent span, `by` is `time`:
 * a span then belongs to the shortest span that contains it.
 */
export function nest<Event extends Nestable>(
  lines: readonly Line<Event>[],
): { by: 'span' | 'time'; lines: NestedLine<Event>[] } {
  const events = lines.filter(line => line.kind === 'event')
  const by = events.some(({ event }) => parentSpanOf(event) !== null) ? 'span' : 'time'
  const parents = parentsOf(events, by)
  const children = new Map<Line<Event> | null, Line<Event>[]>()
  let before: EventLine<Event> | undefined
  for (const line of lines) {
    if (line.kind === 'event') before = line
    const parent = line.kind === 'event' ? (parents.get(line) ?? null) : containerOfGap(line, before, parents)
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [line])
    else siblings.push(line)
  }
  const nested: NestedLine<Event>[] = []
  const add = (parent: Line<Event> | null, depth: number): number => {
    let count = 0
    for (const line of children.get(parent) ?? []) {
      const index = nested.push({ ...line, depth, nested: 0 }) - 1
      const within = add(line, depth + 1)
      nested[index] = { ...line, depth, nested: within }
      count += within + (line.kind === 'event' ? 1 : 0)
    }
    return count
  }
  add(null, 0)
  return { by, lines: nested }
}

function parentsOf<Event extends Nestable>(
  lines: readonly EventLine<Event>[],
  by: 'span' | 'time',
): Map<EventLine<Event>, EventLine<Event>> {
  const spans = lines.filter(({ event }) => (event.durationMs ?? 0) > 0)
  const spanById = uniqueById(spans)
  const parentOf = (line: EventLine<Event>) => {
    const { event } = line
    const parentId = parentSpanOf(event)
    const own = event.spanId === null ? undefined : spanById.get(event.spanId.toLowerCase())
    if (own !== undefined && own !== line) return own
    if (parentId !== null) return spanById.get(parentId)
    const isSpan = (event.durationMs ?? 0) > 0
    // A span without a parent is a root.
    if (by === 'span' && isSpan && event.spanId !== null) return undefined
    const others = isSpan ? spans : spans.filter(each => each.event.service === event.service)
    return containerOf(line, others)
  }
  const parents = new Map<EventLine<Event>, EventLine<Event>>()
  for (const line of lines) {
    const parent = parentOf(line)
    if (parent !== undefined && !isWithin(parent, line, parents)) parents.set(line, parent)
  }
  return parents
}

/** Omits ids that several spans share, because they are ambiguous. */
function uniqueById<Event extends Nestable>(
  spans: readonly EventLine<Event>[],
): Map<string, EventLine<Event>> {
  const byId = new Map<string, EventLine<Event>>()
  const shared = new Set<string>()
  for (const line of spans) {
    const id = line.event.spanId?.toLowerCase()
    if (id === undefined) continue
    if (byId.has(id)) shared.add(id)
    byId.set(id, line)
  }
  for (const id of shared) byId.delete(id)
  return byId
}

/** Whether `line` is `other` or nested in it. Incorrect parent ids could form a cycle. */
function isWithin<Event>(
  line: EventLine<Event>,
  other: EventLine<Event>,
  parents: ReadonlyMap<EventLine<Event>, EventLine<Event>>,
): boolean {
  for (let each: EventLine<Event> | undefined = line; each !== undefined; each = parents.get(each)) {
    if (each === other) return true
  }
  return false
}

/**
 * Returns the shortest of the spans that contain a line. Returns `undefined` if there is none, or if one of these spans does
 * not contain the shorter ones.
 */
function containerOf<Event extends Nestable>(
  line: EventLine<Event>,
  spans: readonly EventLine<Event>[],
): EventLine<Event> | undefined {
  const around = spans.filter(span => span !== line && contains(span.event, line.event))
  const { requestId } = line.event
  const ofRequest = around.filter(({ event }) => requestId !== null && event.requestId === requestId)
  const candidates = (ofRequest.length > 0 ? ofRequest : around).toSorted(
    (a, b) => (a.event.durationMs ?? 0) - (b.event.durationMs ?? 0),
  )
  const isNested = candidates.every((span, index) => {
    const shorter = candidates[index - 1]
    return shorter === undefined || contains(span.event, shorter.event)
  })
  return isNested ? candidates[0] : undefined
}

/** The precision of most log times, in milliseconds. Durations are more precise. */
const timePrecisionMs = 1

function contains(outer: Nestable, inner: Nestable): boolean {
  const [outerMs, innerMs] = [outer.durationMs ?? 0, inner.durationMs ?? 0]
  // If both spans take the same time, the one with the higher id is the outer one.
  const isLonger = outerMs > innerMs || (outerMs === innerMs && outer.id > inner.id)
  // The tolerance is smaller for short spans, so that a span is not nested in the one before or after it.
  const tolerance = Math.min(timePrecisionMs, innerMs / 2)
  return isLonger && startOf(outer) <= startOf(inner) + tolerance && inner.timeMs <= outer.timeMs + tolerance
}

/**
 * Returns the innermost span that covers a whole pause and contains the event before it, or `null`. Inside a span that does
 * not contain this event, the pause would appear above the event.
 */
function containerOfGap<Event>(
  gap: Extract<Line<Event>, { kind: 'gap' }>,
  before: EventLine<Event> | undefined,
  parents: ReadonlyMap<EventLine<Event>, EventLine<Event>>,
): EventLine<Event> | null {
  // Positions are rounded to two decimals.
  const tolerance = 0.02
  const end = gap.left + gap.width
  for (let span = before; span !== undefined; span = parents.get(span)) {
    if (span.left <= gap.left + tolerance && span.left + span.width >= end - tolerance) return span
  }
  return null
}
