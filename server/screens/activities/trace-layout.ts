import type { LogEvent } from '../../../shared/event.ts'

/** What an event's place in time is told by. */
export type Timed = Pick<LogEvent, 'id' | 'timeMs' | 'durationMs'>

/** A place on the axis of time, in percent of its width: inside of it always. */
export type Place = { left: number; width: number }

/** An event at its place, or a time in which nothing began, ended or was logged. */
export type Line<Event> =
  | ({ kind: 'event'; event: Event; offsetMs: number } & Place)
  | ({ kind: 'quiet'; quietMs: number } & Place)

/** A pause is told of where it takes this share of the whole, and is one that anybody may care for. */
const quietShare = 0.1
const minQuietMs = 20

/**
 * When what an event tells of began. An event with a duration was written when that had passed: servers log a
 * request as they answer it, and a span becomes an event at its end (ingest/otlp/span-events.ts).
 */
export function startOf({ timeMs, durationMs }: Timed): number {
  return durationMs !== null && durationMs > 0 ? timeMs - durationMs : timeMs
}

/**
 * Puts events on one axis of time, in the order in which they began; of two that began together the longer one stands
 * first, since it holds the other.
 */
export function layOut<Event extends Timed>(
  events: readonly Event[],
): { fromMs: number; lengthMs: number; lines: Line<Event>[] } {
  const sorted = events.toSorted((a, b) => startOf(a) - startOf(b) || b.timeMs - a.timeMs || a.id - b.id)
  const marks = [...new Set(sorted.flatMap(event => [startOf(event), event.timeMs]))].sort((a, b) => a - b)
  const fromMs = marks[0] ?? 0
  const lengthMs = (marks.at(-1) ?? 0) - fromMs
  const place = (startMs: number, endMs: number): Place => {
    const left = percent(startMs - fromMs, lengthMs)
    return { left, width: rounded(Math.max(percent(endMs - fromMs, lengthMs) - left, 0)) }
  }

  const minMs = Math.max(lengthMs * quietShare, minQuietMs)
  const pauses = marks
    .map((toMs, index) => ({ fromMs: marks[index - 1] ?? toMs, toMs }))
    .filter(pause => pause.toMs - pause.fromMs >= minMs)
  const lines: Line<Event>[] = []
  let told = 0
  const tellPauses = (untilMs: number) => {
    for (let pause = pauses[told]; pause !== undefined && pause.toMs <= untilMs; pause = pauses[told]) {
      lines.push({ kind: 'quiet', quietMs: pause.toMs - pause.fromMs, ...place(pause.fromMs, pause.toMs) })
      told += 1
    }
  }
  for (const event of sorted) {
    const startMs = startOf(event)
    tellPauses(startMs)
    lines.push({ kind: 'event', event, offsetMs: startMs - fromMs, ...place(startMs, event.timeMs) })
  }
  tellPauses(Number.POSITIVE_INFINITY)
  return { fromMs, lengthMs, lines }
}

function percent(ms: number, ofMs: number): number {
  return ofMs > 0 ? rounded(Math.min(Math.max((ms / ofMs) * 100, 0), 100)) : 0
}

function rounded(value: number): number {
  return Number(value.toFixed(2))
}
