import type { LogEvent } from '../../../shared/event.ts'
import { isoTime } from '../../../shared/iso-time.ts'
import { attributeText, attributeValue } from '../../store/common/attribute-text.ts'

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

const fixedNames = new Set(columns.map(([name]) => name.toLowerCase()))

/**
 * Returns the header line (https://www.rfc-editor.org/rfc/rfc4180), with a byte order mark so that spreadsheets detect
 * UTF-8, and a function that formats an event as a line. Both include the line break.
 * @param attributes the paths of the attributes that get their own columns, after the fixed ones
 */
export function csvTable(attributes: readonly string[]): { head: string; line(event: LogEvent): string } {
  const heads = [...columns.map(([name]) => name), ...attributes.map(path => cell(nameOf(path)))]
  return {
    head: `\ufeff${heads.join(',')}\r\n`,
    line(event) {
      const values = [
        ...columns.map(([, value]) => value(event)),
        ...attributes.map(path => attributeCell(event, path)),
      ]
      return `${values.map(cell).join(',')}\r\n`
    },
  }
}

/** Numbers stay numbers, because spreadsheets would not add up text such as `'-5`. */
function attributeCell(event: LogEvent, path: string): string | number | null {
  const value = attributeValue(event, path)
  return typeof value === 'number' ? value : attributeText(event, path)
}

/**
 * Adds the prefix `attributes.` to names that would otherwise be ambiguous, as in a search. Ignores case, because
 * spreadsheets and databases do.
 */
function nameOf(path: string): string {
  return fixedNames.has(path.toLowerCase()) || path.startsWith('attributes.') ? `attributes.${path}` : path
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  return `"${escapeFormula(value).replaceAll('"', '""')}"`
}

/** A number after the minus sign, without operators or functions, does nothing. */
const negativeNumber = /^-\d+(?:\.\d+)?$/

/**
 * Adds an apostrophe before text that a spreadsheet would execute as a formula, even if its first character is full-width.
 * Log lines are untrusted: https://owasp.org/www-community/attacks/CSV_Injection
 */
function escapeFormula(text: string): string {
  const isFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) && !negativeNumber.test(text)
  return isFormula ? `'${text}` : text
}
