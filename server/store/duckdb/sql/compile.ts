import { failureStates } from '../../../../shared/failure.ts'
import type { Comparison, Query, QueryField } from '../../../../shared/query.ts'
import { compares } from '../../common/compares.ts'
import { fieldColumns, numberFields } from '../../common/field-columns.ts'
import { operands } from '../../common/operands.ts'
import { matchingSeverities } from '../../common/severity-query.ts'
import { join, type Sql, slow, sql } from '../../common/sql.ts'
import { matchesDigest } from '../failures/digest.ts'
import { isOneOf } from '../failures/failure-id.ts'
import { isInState } from '../failures/failure-state.ts'
import { attributeBetween, attributeExists, compareAttribute } from './attribute.ts'
import { computeOnce, computesText, inPlace, type Terms } from './compute-once.ts'
import { matches } from './match.ts'
import { numberIn } from './number-in.ts'
import { storedSeverity } from './severity.ts'
import { containsText, type TextGroup, textGroups } from './text.ts'

const longFields: ReadonlySet<QueryField> = new Set(['message', 'exception'])

/**
 * The maximum number of words that filter the rows for the remaining terms. Each of these words uses memory for its own copy
 * of the text.
 */
const maxFilterTerms = 2

/** The groups of columns that may contain the words of a text search. */
export type GroupsOf = (words: string) => readonly TextGroup[]

/** The fingerprints of the failure with this id or fingerprint. */
export type FingerprintsOf = (failure: string) => readonly string[]

type Lookups = { fingerprintsOf: FingerprintsOf; groupsOf: GroupsOf }

/** Compiles a search into a condition that is true for matching events. NULL is treated as false. */
export function compile(
  query: Query,
  fingerprintsOf: FingerprintsOf,
  groupsOf: GroupsOf = () => textGroups,
): Sql {
  const lookups = { fingerprintsOf, groupsOf }
  const all = operands(query, 'and')
  const costly = all.filter(operand => computesText(terms => toCondition(terms, lookups, operand)))
  const narrowing = new Set(costly.filter(({ kind }) => kind === 'text').slice(0, maxFilterTerms))
  // Each operand filters the rows for the next one, so cheap operands and the first words are separate conditions.
  const isSeparate = (operand: Query) => !costly.includes(operand) || narrowing.has(operand)
  const separate = all.filter(isSeparate)
  const conditions = [...separate.filter(isQuick), ...separate.filter(operand => !isQuick(operand))].map(
    operand => toCondition(inPlace, lookups, operand),
  )
  const rest = all.filter(operand => !isSeparate(operand))
  if (rest.length > 0) conditions.push(computeOnce(terms => joinConditions(terms, lookups, rest, 'and')))
  const condition = sql`(${join(conditions, ' AND ')})`
  return readsLongTexts(query) ? slow(condition) : condition
}

function isQuick(query: Query): boolean {
  return !readsLongTexts(query)
}

function readsLongTexts(query: Query): boolean {
  switch (query.kind) {
    case 'and':
    case 'or':
      return readsLongTexts(query.left) || readsLongTexts(query.right)
    case 'not':
      return readsLongTexts(query.query)
    case 'field':
      return longFields.has(query.field)
    case 'exists':
    case 'between':
      return typeof query.field !== 'string'
    case 'all':
      return false
    case 'text':
    case 'attribute':
      return true
  }
}

function toCondition(terms: Terms, lookups: Lookups, query: Query): Sql {
  switch (query.kind) {
    case 'all':
      return sql`true`
    case 'and':
    case 'or':
      return joinConditions(terms, lookups, operands(query, query.kind), query.kind)
    case 'not':
      return sql`(NOT coalesce(${toCondition(terms, lookups, query.query)}, false))`
    case 'text':
      return containsText(terms, query.text, lookups.groupsOf(query.text))
    case 'field':
      return compileField(terms, lookups, query)
    case 'attribute':
      return compareAttribute(terms, query.path, query.comparison, query.value, query.literal === true)
    case 'exists':
      return terms.condition(
        typeof query.field === 'string' ? fieldExists(query.field) : attributeExists(query.field.path),
      )
    case 'between':
      return typeof query.field === 'string'
        ? terms.condition(fieldBetween(query.field, query.from, query.to))
        : attributeBetween(terms, query.field.path, query.from, query.to)
  }
}

function joinConditions(terms: Terms, lookups: Lookups, queries: readonly Query[], kind: 'and' | 'or'): Sql {
  const conditions = queries.map(query => toCondition(terms, lookups, query))
  return sql`(${join(conditions, kind === 'and' ? ' AND ' : ' OR ')})`
}

function compileField(
  terms: Terms,
  { fingerprintsOf }: Lookups,
  { field, comparison, value, literal }: Extract<Query, { kind: 'field' }>,
): Sql {
  if (field === 'severity') return terms.condition(severityMatches(comparison, String(value)))
  if (field === 'failure') return terms.condition(failureMatches(String(value), fingerprintsOf))
  if (comparison !== '=' || (typeof value === 'number' && numberFields.has(field))) {
    return terms.condition(
      either(field, column => compares(asNumber(field, column), comparison, Number(value))),
    )
  }
  const pattern = { text: String(value), isLiteral: literal === true }
  if (field === 'digest') return matchesDigest(terms, pattern)
  if (!numberFields.has(field)) return either(field, column => matches(terms, pattern, column))
  return terms.condition(either(field, column => matches(inPlace, pattern, sql`CAST(${column} AS VARCHAR)`)))
}

/** Stored severity numbers do not define an order, so the condition lists the numbers that match. */
function severityMatches(comparison: Comparison, value: string): Sql {
  const numbers = matchingSeverities(comparison, value).map(severity => sql`${storedSeverity(severity)}`)
  return numbers.length === 0 ? sql`false` : sql`severity IN (${join(numbers, ', ')})`
}

/** `value` is a state or a failure id. */
function failureMatches(value: string, fingerprintsOf: FingerprintsOf): Sql {
  const state = failureStates.find(each => each === value)
  return state === undefined
    ? isOneOf(fingerprintsOf(value))
    : sql`(fingerprint IS NOT NULL AND ${isInState(state)})`
}

function fieldBetween(field: QueryField, from: number, to: number): Sql {
  return either(field, column => sql`${asNumber(field, column)} BETWEEN ${from} AND ${to}`)
}

function fieldExists(field: QueryField): Sql {
  if (field === 'message') return sql`body <> ''`
  return either(field, column => sql`${column} IS NOT NULL`)
}

function either(field: QueryField, condition: (column: Sql) => Sql): Sql {
  return sql`(${join(fieldColumns[field].map(condition), ' OR ')})`
}

function asNumber(field: QueryField, column: Sql): Sql {
  return numberFields.has(field) ? column : numberIn(sql`${column}::VARCHAR`)
}
