import type { LogEvent } from '../../../shared/event.ts'
import { isoTime } from '../../../shared/iso-time.ts'

type Column = readonly [name: string, value: (event: LogEvent) => string | number | null]

const columns: readonly Column[] = [
  ['time', event => isoTime(event.timeMs)],
  ['severity', event => event.severity],
  ['service', event => event.service],
  ['release', event => event.release],
  ['source', event => event.source],
  ['message', event => event.body],
  ['requestId', event => event.requestId],
  ['traceId', event => event.traceId],
  ['spanId', event => event.spanId],
  ['method', event => event.method],
  ['route', event => event.route],
  ['status', event => event.status],
  ['durationMs', event => event.durationMs],
  ['exceptionType', event => event.exception?.type ?? null],
  ['exceptionMessage', event => event.exception?.message ?? null],
  ['exceptionStack', event => event.exception?.stack ?? null],
  ['digest', event => event.digest],
  ['fingerprint', event => event.fingerprint],
  ['attributes', event => JSON.stringify(event.attributes)],
]

/** The header line (https://www.rfc-editor.org/rfc/rfc4180), with a byte order mark so that spreadsheets detect UTF-8. */
export const csvHead = `\ufeff${columns.map(([name]) => name).join(',')}\r\n`

/** Formats an event as a CSV line, including the line break. */
export function csvLine(event: LogEvent): string {
  return `${columns.map(([, value]) => cell(value(event))).join(',')}\r\n`
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  return `"${escapeFormula(value).replaceAll('"', '""')}"`
}

/**
 * Adds an apostrophe before text that a spreadsheet would execute as a formula, even if its first character is full-width.
 * Log lines are untrusted: https://owasp.org/www-community/attacks/CSV_Injection
 */
function escapeFormula(text: string): string {
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text
}
