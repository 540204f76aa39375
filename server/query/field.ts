import { failureStates } from '../../shared/failure.ts'
import type { Comparison, Query } from '../../shared/query.ts'
import { type Severity, severities, severityWords } from '../../shared/severity.ts'
import type { FieldTerm } from './field-term.ts'
import { compareNumber, compareValue, rangeIn, readDurationMs, readNumber, readRange } from './number.ts'
import { QuerySyntaxError } from './syntax-error.ts'

/** The format of fingerprints, and therefore of failure ids (docs/decisions/0002-fingerprint.md). */
const isFingerprint = /^[0-9a-f]{10}$/

/**
 * Parses a field term.
 * @throws QuerySyntaxError if the value or comparison is not valid for the field
 */
export function readField(term: FieldTerm): Query {
  const { field, value, isQuoted } = term
  if (!isQuoted && value === '*' && term.comparison === '=') return { kind: 'exists', field }
  if (field === 'severity') return readSeverities(term)
  if (field === 'status' || field === 'duration') return readNumbers(term, field)
  if (field === 'failure') return readFailure(term)
  return readString(term)
}

function readString({ field, name, comparison, value, isQuoted, position }: FieldTerm): Query {
  if (comparison !== '=') {
    throw new QuerySyntaxError(
      `${name} can’t be compared with ${comparison}. Use ${name}:value, or put a value that begins with ${comparison} in double quotes.`,
      { from: position.from - comparison.length, to: position.to },
    )
  }
  const range = isQuoted ? null : rangeIn(value)
  if (range !== null) {
    throw new QuerySyntaxError(
      `${name} has no ranges. Use * to match any characters, such as ${name}:${range.from}*, or put the text in double quotes.`,
      position,
    )
  }
  return isQuoted && value.includes('*')
    ? { kind: 'field', field, comparison, value, literal: true }
    : { kind: 'field', field, comparison, value }
}

/** Parses a failure state or failure id. */
function readFailure(term: FieldTerm): Query {
  const value = term.value.toLowerCase()
  const isState = failureStates.some(state => state === value)
  if (isState || isFingerprint.test(value)) return readString({ ...term, value })
  throw new QuerySyntaxError(
    `“${term.value}” is neither a failure state (${failureStates.join(', ')}) nor the ID of a failure (10 characters, 0–9 and a–f).`,
    term.position,
  )
}

function readNumbers(term: FieldTerm, field: 'status' | 'duration'): Query {
  const between = (from: number, to: number): Query => ({ kind: 'between', field, from, to })
  const [, hundreds] = /^([1-5])xx$/i.exec(term.value) ?? []
  if (field === 'status' && hundreds !== undefined && term.comparison === '=') {
    return between(Number(hundreds) * 100, Number(hundreds) * 100 + 99)
  }
  return compareNumber(
    term,
    readRange(term),
    {
      between,
      compare: (comparison, value) => ({ kind: 'field', field, comparison, value }),
      exists: { kind: 'exists', field },
    },
    field === 'duration' ? readDurationMs : readNumber,
  )
}

function readSeverities(term: FieldTerm): Query {
  const field = 'severity'
  const compare = (comparison: Comparison, value: Severity): Query => ({
    kind: 'field',
    field,
    comparison,
    value,
  })
  const between = (from: Severity, to: Severity): Query => ({
    kind: 'and',
    left: compare('>=', from),
    right: compare('<=', to),
  })
  return compareValue(term, readRange(term), { between, compare, exists: { kind: 'exists', field } }, text =>
    readSeverity(text, term),
  )
}

/**
 * Other names for severities, including pino's numbers (https://getpino.io/#/docs/api?id=loggerlevels-object). Loggers also
 * write other words, but users rarely type them, so the rest of `severityWords` is invalid in searches.
 */
const { warning, err, critical } = severityWords
const severityAliases = new Map<string, Severity>([
  ...Object.entries({ warning, err, critical }),
  ['10', 'trace'],
  ['20', 'debug'],
  ['30', 'info'],
  ['40', 'warn'],
  ['50', 'error'],
  ['60', 'fatal'],
])

function readSeverity(text: string, { position }: FieldTerm): Severity {
  const lower = text.toLowerCase()
  const severity = severities.find(each => each === lower) ?? severityAliases.get(lower)
  if (severity !== undefined) return severity
  throw new QuerySyntaxError(`“${text}” is not a severity. Use ${severities.join(', ')}.`, position)
}
