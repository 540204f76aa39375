import { failureStates } from '../../../../shared/failure.ts'
import type { Query, QueryField } from '../../../../shared/query.ts'
import { compares, hasWildcard } from '../../common/compares.ts'
import { barePattern } from '../../common/digest.ts'
import { fieldColumns, numberFields } from '../../common/field-columns.ts'
import { operands } from '../../common/operands.ts'
import { matchingSeverities } from '../../common/severity-query.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import { failureIdOf, fingerprintsInState, fingerprintsOf } from '../../state/failure-ids.ts'
import type { State } from '../../state/state.ts'
import { withoutSuffix } from '../failures/digest.ts'
import { attributeExists, attributeNumber, attributeText, ofAttribute } from './attribute.ts'
import { containsText } from './contains-text.ts'
import { hasAttributeTerm } from './has-attribute-term.ts'
import { matches, numberIn } from './match.ts'
import { textList } from './text-list.ts'

/**
 * Compiles a search to a condition that is true for matching events, and false or NULL for others.
 * @param addsIndexHint whether to add the hint for the index of searched text, which ClickHouse cannot use after NOT
 */
export function compile(query: Query, state: State, addsIndexHint = true): Sql {
  switch (query.kind) {
    case 'all':
      return sql`true`
    case 'and':
    case 'or': {
      const conditions = operands(query, query.kind).map(operand => compile(operand, state, addsIndexHint))
      return sql`(${join(conditions, query.kind === 'and' ? ' AND ' : ' OR ')})`
    }
    case 'not':
      return sql`(NOT ${neverNull(query.query, state)})`
    case 'text':
      return containsText(query.text, addsIndexHint)
    case 'field':
      return query.field === 'failure'
        ? ofFailure(String(query.value), state)
        : compileField({ ...query, field: query.field })
    case 'attribute':
      return compileAttribute(query, addsIndexHint)
    case 'exists':
      return typeof query.field === 'string'
        ? fieldExists(query.field)
        : ofAttribute(query.field.path, null, attributeExists(query.field.path), addsIndexHint)
    case 'between': {
      const { field, from, to } = query
      const between = (number: Sql) => sql`${number} BETWEEN ${from} AND ${to}`
      return typeof field === 'string'
        ? either(field, column => between(asNumber(field, column)))
        : ofAttribute(field.path, null, between(attributeNumber(field.path)), addsIndexHint)
    }
  }
}

/**
 * Like `compile`, but the condition is false, never NULL, for events that do not match. Conditions for terms are never
 * NULL, so they are not wrapped in `ifNull`, which would prevent ClickHouse from using an index.
 */
function neverNull(query: Query, state: State): Sql {
  const term = query.kind === 'attribute' ? termOf(query) : null
  return term ?? sql`ifNull(${compile(query, state, false)}, false)`
}

type AttributeQuery = Extract<Query, { kind: 'attribute' }>

function compileAttribute(query: AttributeQuery, addsIndexHint: boolean): Sql {
  const { path, comparison, value } = query
  const term = termOf(query)
  if (term !== null) return term
  if (typeof value === 'number')
    return ofAttribute(path, null, compares(attributeNumber(path), comparison, value), addsIndexHint)
  const pattern = patternOf(query)
  return ofAttribute(path, pattern, matches(attributeText(path), pattern), addsIndexHint)
}

function termOf(query: AttributeQuery): Sql | null {
  const { path, comparison, value } = query
  if (typeof value === 'number') return comparison === '=' ? hasAttributeTerm(path, value) : null
  const pattern = patternOf(query)
  return hasWildcard(pattern) ? null : hasAttributeTerm(path, pattern.text)
}

function compileField(query: Extract<Query, { kind: 'field' }>): Sql {
  const { field, comparison, value } = query
  if (field === 'severity') {
    const severities = matchingSeverities(comparison, String(value))
    return sql`severity IN ${textList(severities)}`
  }
  if (comparison !== '=' || (typeof value === 'number' && numberFields.has(field)))
    return either(field, column => compares(asNumber(field, column), comparison, Number(value)))
  const pattern = patternOf(query)
  if (field === 'digest')
    return sql`(${matches(sql`digest`, pattern)} OR ${matches(withoutSuffix, barePattern(pattern))})`
  return either(field, column =>
    matches(numberFields.has(field) ? sql`toString(${column})` : column, pattern),
  )
}

/** `value` is a state or a failure id. Most failures are open, so the condition for `open` lists the other failures. */
function ofFailure(value: string, state: State): Sql {
  const failureState = failureStates.find(each => each === value)
  if (failureState === undefined)
    return sql`fingerprint IN ${textList(fingerprintsOf(state, failureIdOf(state, value)))}`
  if (failureState !== 'open')
    return sql`fingerprint IN ${textList(fingerprintsInState(state, [failureState]))}`
  const others = fingerprintsInState(state, ['resolved', 'muted'])
  return sql`(fingerprint IS NOT NULL AND fingerprint NOT IN ${textList(others)})`
}

function fieldExists(field: QueryField): Sql {
  return field === 'message' ? sql`body <> ''` : either(field, column => sql`${column} IS NOT NULL`)
}

function either(field: QueryField, condition: (column: Sql) => Sql): Sql {
  return sql`(${join(fieldColumns[field].map(condition), ' OR ')})`
}

function asNumber(field: QueryField, column: Sql): Sql {
  return numberFields.has(field) ? column : numberIn(column)
}

function patternOf({ value, literal }: { value: string | number | boolean; literal?: boolean }) {
  return { text: String(value), isLiteral: literal === true }
}
