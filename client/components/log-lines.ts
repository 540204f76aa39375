import type { EventRow } from '../../shared/event.ts'
import { pluralise } from '../../shared/format.ts'
import type { Severity } from '../../shared/severity.ts'
import type { Waterfall } from '../../shared/waterfall.ts'
import { messageParts } from './event-message.tsx'
import { plainText } from './plain-text.ts'

type LogLine = { timeMs: number; severity: Severity; service: string; text: string }

/** Formats events as plain text, one line per event: time, severity, service and message. */
export function linesOfEvents(events: readonly EventRow[]): string[] {
  return events.map(event => formatLine({ ...event, text: messageOf(event) }))
}

/**
 * Formats the events of a trace, oldest first, including those nested in folded events. A last line counts the events that
 * the trace does not show.
 */
export function linesOfTrace({
  lines,
  fromMs,
  total,
}: Pick<Waterfall, 'lines' | 'fromMs' | 'total'>): string[] {
  const shown = lines
    .flatMap(line => {
      if (line.kind === 'gap') return []
      const { severity, service, request, text, offsetMs, durationMs } = line
      // An event with a duration is logged at its end.
      const timeMs = fromMs + offsetMs + Math.max(durationMs ?? 0, 0)
      return [{ timeMs, severity, service, text: [request, text].filter(Boolean).join(' ') }]
    })
    .sort((a, b) => a.timeMs - b.timeMs)
    .map(formatLine)
  return shown.length < total ? [...shown, `… ${pluralise(total - shown.length, 'event')} omitted`] : shown
}

function formatLine({ timeMs, severity, service, text }: LogLine): string {
  const message = text.trim() === '' ? '(no message)' : text
  return plainText(`${new Date(timeMs).toISOString()} ${severity} ${service} ${message}`)
    .replace(/\s+/g, ' ')
    .trim()
}

function messageOf({ exceptionType, exceptionMessage, ...event }: EventRow): string {
  const exception = exceptionType === null ? null : { type: exceptionType, message: exceptionMessage ?? '' }
  const { type, text, context } = messageParts({ ...event, exception })
  const message = [type, text].filter(Boolean).join(': ')
  return context.length === 0 ? message : `${message} (${context.join(', ')})`
}
