import type { LogEvent } from '../../../shared/event.ts'
import { startOf } from '../../../shared/start-of.ts'

/** The fields that determine an event's position in time. */
export type Timed = Pick<LogEvent, 'id' | 'timeMs' | 'durationMs'>

/** A position on the time axis, in percent of its width. */
export type Position = { left: number; width: number }

/** An event, or a pause in which nothing started, ended or was logged. */
export type Line<Event> =
  | ({ kind: 'event'; event: Event; offsetMs: number } & Position)
  | ({ kind: 'gap'; gapMs: number } & Position)

/** The minimum length of a reported pause, as a share of the total length and in milliseconds. */
const minGapShare = 0.1
const minGapMs = 20

/**
 * Places events on a time axis, ordered by start time. If two events start at the same time, the longer one comes first
 * because it contains the other.
 */
export function layOut<Event extends Timed>(
  events: readonly Event[],
): { fromMs: number; lengthMs: number; lines: Line<Event>[] } {
  const sorted = events.toSorted((a, b) => startOf(a) - startOf(b) || b.timeMs - a.timeMs || a.id - b.id)
  const marks = [...new Set(sorted.flatMap(event => [startOf(event), event.timeMs]))].sort((a, b) => a - b)
  const fromMs = marks[0] ?? 0
  const lengthMs = (marks.at(-1) ?? 0) - fromMs
  const positionOf = (startMs: number, endMs: number): Position => {
    const left = percent(startMs - fromMs, lengthMs)
    return { left, width: rounded(Math.max(percent(endMs - fromMs, lengthMs) - left, 0)) }
  }

  const minMs = Math.max(lengthMs * minGapShare, minGapMs)
  const pauses = marks
    .map((toMs, index) => ({ fromMs: marks[index - 1] ?? toMs, toMs }))
    .filter(pause => pause.toMs - pause.fromMs >= minMs)
  const lines: Line<Event>[] = []
  let addedPauses = 0
  const addPauses = (untilMs: number) => {
    for (
      let pause = pauses[addedPauses];
      pause !== undefined && pause.toMs <= untilMs;
      pause = pauses[addedPauses]
    ) {
      lines.push({
        kind: 'gap',
        gapMs: pause.toMs - pause.fromMs,
        ...positionOf(pause.fromMs, pause.toMs),
      })
      addedPauses += 1
    }
  }
  for (const event of sorted) {
    const startMs = startOf(event)
    addPauses(startMs)
    lines.push({ kind: 'event', event, offsetMs: startMs - fromMs, ...positionOf(startMs, event.timeMs) })
  }
  addPauses(Number.POSITIVE_INFINITY)
  return { fromMs, lengthMs, lines }
}

function percent(ms: number, ofMs: number): number {
  return ofMs > 0 ? rounded(Math.min(Math.max((ms / ofMs) * 100, 0), 100)) : 0
}

function rounded(value: number): number {
  return Number(value.toFixed(2))
}
