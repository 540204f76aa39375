import type { LogEvent } from '../../../shared/event.ts'
import { failureStates } from '../../../shared/failure.ts'
import type { Comparison, Query, QueryField } from '../../../shared/query.ts'
import { attributeText, attributeValues } from '../common/attribute-text.ts'
import { bareDigest, barePattern } from '../common/digest.ts'
import { lowerCase } from '../common/lower-case.ts'
import { compare, matchingSeverities } from '../common/severity-query.ts'
import { toNumber } from '../common/to-number.ts'
import { failureIdOf, stateOf } from '../state/failure-ids.ts'
import type { Memory } from './memory.ts'

/** Whether an event matches a query in the search language. */
export function matches(memory: Memory, event: LogEvent, query: Query): boolean {
  switch (query.kind) {
    case 'all':
      return true
    case 'and':
      return matches(memory, event, query.left) && matches(memory, event, query.right)
    case 'or':
      return matches(memory, event, query.left) || matches(memory, event, query.right)
    case 'not':
      return !matches(memory, event, query.query)
    case 'text':
      return containsText(event, query.text)
    case 'field':
      return fieldMatches(memory, event, query)
    case 'attribute':
      return typeof query.value === 'number'
        ? numberMatches(attributeText(event, query.path), query.comparison, query.value)
        : textMatches(attributeText(event, query.path), String(query.value), query.literal)
    case 'exists':
      return typeof query.field === 'string'
        ? fieldExists(event, query.field)
        : attributeValues(event, query.field.path).length > 0
    case 'between': {
      const { field, from, to } = query
      const values =
        typeof field === 'string' ? fieldValues(event, field) : [attributeText(event, field.path)]
      return values.some(value => numberMatches(value, '>=', from) && numberMatches(value, '<=', to))
    }
  }
}

function fieldMatches(
  memory: Memory,
  event: LogEvent,
  { field, comparison, value, literal }: Extract<Query, { kind: 'field' }>,
): boolean {
  if (field === 'severity') return matchingSeverities(comparison, String(value)).includes(event.severity)
  if (field === 'failure') return failureMatches(memory, event, value)
  const values = fieldValues(event, field)
  if (comparison !== '=' || (typeof value === 'number' && (field === 'status' || field === 'duration')))
    return values.some(each => numberMatches(each, comparison, Number(value)))
  const pattern = String(value)
  if (values.some(each => textMatches(each, pattern, literal))) return true
  if (field !== 'digest' || event.digest === null) return false
  const bare = barePattern({ text: pattern, isLiteral: literal === true })
  return textMatches(bareDigest(event.digest), bare.text, literal)
}

/** `value` is a state or a failure id. */
function failureMatches(memory: Memory, { fingerprint }: LogEvent, value: string | number): boolean {
  if (fingerprint === null) return false
  const id = failureIdOf(memory.state, fingerprint)
  return failureStates.some(state => state === value)
    ? stateOf(memory.state, id) === value
    : id === failureIdOf(memory.state, String(value))
}

type FieldValue = string | number | null

function fieldValues(event: LogEvent, field: QueryField): FieldValue[] {
  switch (field) {
    case 'duration':
      return [event.durationMs]
    case 'message':
      return [event.body]
    case 'failure':
      return [event.fingerprint]
    case 'request':
      return [event.requestId]
    case 'trace':
      return [event.traceId]
    case 'span':
      return [event.spanId]
    case 'exception':
      return [event.exception?.type ?? null, event.exception?.message ?? null]
    default:
      return [event[field]]
  }
}

function fieldExists(event: LogEvent, field: QueryField): boolean {
  return field === 'message' ? event.body !== '' : fieldValues(event, field).some(value => value !== null)
}

function textMatches(value: FieldValue, pattern: string, isLiteral = false): boolean {
  if (value === null) return false
  const text = lowerCase(String(value))
  const parts = lowerCase(pattern).split('*')
  if (isLiteral || parts.length === 1) return text === lowerCase(pattern)
  const escaped = parts.map(part => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`, 's').test(text)
}

function numberMatches(value: FieldValue, comparison: Comparison, than: number): boolean {
  const number = typeof value === 'string' ? toNumber(value) : value
  return number !== null && compare(number, comparison, than)
}

function containsText(event: LogEvent, words: string): boolean {
  const { body, exception, requestId, digest, traceId, spanId, fingerprint, route, service } = event
  const isWord = !/\s/.test(words)
  const lower = lowerCase(words)
  const attributes = lowerCase(JSON.stringify(event.attributes))
  const texts = [body, exception?.message, exception?.type, exception?.stack, route, service]
  if (isWord) texts.push(requestId, digest)
  if (/^[0-9a-f]*$/i.test(words)) texts.push(traceId, spanId, fingerprint)
  return (
    texts.some(text => text != null && lowerCase(text).includes(lower)) ||
    attributes.includes(lowerCase(JSON.stringify(words).slice(1, -1)))
  )
}
