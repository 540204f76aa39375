import type { LogEvent } from '../../../shared/event.ts'
import { startOf } from '../../../shared/start-of.ts'
import type { Line } from './trace-layout.ts'
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
 * Nests the lines of a trace. Returns each line before the lines nested in it, and siblings in their order. A span belongs
 * to the span that called it, and an event to its span. If that span is unknown, the line belongs to the innermost span
 * that contains it, which for an event is one of its own service if possible. `by` is `time` if times alone determined the
 * parent of a span, or of an event from another service.
 */
export function nest<Event extends Nestable>(
  lines: readonly Line<Event>[],
): { by: 'span' | 'time'; lines: NestedLine<Event>[] } {
  const { by, parents } = parentsOf(lines.filter(line => line.kind === 'event'))
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
): { by: 'span' | 'time'; parents: Map<EventLine<Event>, EventLine<Event>> } {
  const spans = lines.filter(({ event }) => isSpan(event))
  const spanById = uniqueById(spans)
  const spanOf = (id: string | null) => (id === null ? undefined : spanById.get(id.toLowerCase()))
  const parents = new Map<EventLine<Event>, EventLine<Event>>()
  for (const line of lines) {
    const span = spanOf(line.event.spanId)
    const parent = span === undefined || span === line ? spanOf(parentSpanOf(line.event)) : span
    if (parent !== undefined && !isWithin(parent, line, parents)) parents.set(line, parent)
  }
  const haveParents = spans.some(({ event }) => parentSpanOf(event) !== null)
  let by: 'span' | 'time' = 'span'
  // The parents of the spans show which span around an event is the innermost one.
  for (const line of [...spans, ...lines.filter(({ event }) => !isSpan(event))]) {
    const { event } = line
    // If other spans have parents, a span without a parent is a root.
    const isRoot = haveParents && isSpan(event) && event.spanId !== null && parentSpanOf(event) === null
    if (parents.has(line) || isRoot) continue
    const parent = containerOf(line, spans, parents)
    if (parent === undefined) continue
    parents.set(line, parent)
    if (isSpan(event) || !haveParents || parent.event.service !== event.service) by = 'time'
  }
  return { by, parents }
}

function isSpan({ durationMs }: Nestable): boolean {
  return (durationMs ?? 0) > 0
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
 * Returns the innermost of the spans that may contain a line, preferably of the same service and request. If several spans
 * overlap, any of them could be wrong, so returns a span around all of them, or `undefined` if there is none.
 */
function containerOf<Event extends Nestable>(
  line: EventLine<Event>,
  spans: readonly EventLine<Event>[],
  parents: ReadonlyMap<EventLine<Event>, EventLine<Event>>,
): EventLine<Event> | undefined {
  const around = spans.filter(
    span =>
      mayContain(span.event, line.event) &&
      contains(span.event, line.event) &&
      !isWithin(span, line, parents),
  )
  const { requestId, service } = line.event
  const ofService = isSpan(line.event) ? [] : around.filter(({ event }) => event.service === service)
  const likely = ofService.length > 0 ? ofService : around
  const ofRequest = likely.filter(({ event }) => requestId !== null && event.requestId === requestId)
  const candidates = ofRequest.length > 0 ? ofRequest : likely
  const isAroundAll = (outer: EventLine<Event>) =>
    candidates.every(
      inner =>
        !isWithin(outer, inner, parents) &&
        (isWithin(inner, outer, parents) || contains(outer.event, inner.event)),
    )
  return innermostOf(candidates, parents) ?? innermostOf(around.filter(isAroundAll), parents)
}

/**
 * Goes inwards from span to span, as long as one span is around all the others. Returns the last one, or `undefined` if the
 * outermost spans overlap. Parents are more reliable than times, because clocks differ.
 */
function innermostOf<Event extends Nestable>(
  spans: readonly EventLine<Event>[],
  parents: ReadonlyMap<EventLine<Event>, EventLine<Event>>,
): EventLine<Event> | undefined {
  const among = new Set(spans)
  const parentAmong = new Map<EventLine<Event>, EventLine<Event>>()
  for (const span of spans) {
    let parent = parents.get(span)
    while (parent !== undefined && !among.has(parent)) parent = parents.get(parent)
    if (parent !== undefined) parentAmong.set(span, parent)
  }
  let innermost: EventLine<Event> | undefined
  let outermost = spans.filter(span => !parentAmong.has(span))
  while (outermost.length > 0) {
    const outer = outermost.find(span =>
      outermost.every(other => other === span || contains(span.event, other.event)),
    )
    if (outer === undefined) break
    innermost = outer
    const others = outermost.filter(span => span !== outer)
    outermost = [...others, ...spans.filter(span => parentAmong.get(span) === outer)]
  }
  return innermost
}

/** Whether a span that contains an event in time may have caused it. */
function mayContain(span: Nestable, event: Nestable): boolean {
  if (!isSpan(event)) return true
  const parentId = parentSpanOf(event)
  // Spans with the same parent are siblings. A service rarely calls itself, but often gets concurrent calls.
  return parentId === null || (parentSpanOf(span) !== parentId && span.service !== event.service)
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
