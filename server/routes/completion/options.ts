import { isSearchable } from '../../../shared/attribute-path.ts'
import type { Completion } from '../../../shared/completion.ts'
import { eventSources, type Json } from '../../../shared/event.ts'
import { failureStates } from '../../../shared/failure.ts'
import { attributeField, type QueryField, quoted } from '../../../shared/query.ts'
import { fieldHelp } from '../../../shared/query-help.ts'
import type { Window } from '../../../shared/range.ts'
import { severities } from '../../../shared/severity.ts'
import { readNumber } from '../../query/number.ts'
import { type FacetField, type Filter, facetFields } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import type { CursorContext } from './cursor.ts'

const maxOptions = 8
/** The maximum number of values in which to look for the typed text. */
const maxFacetValues = 500
/** The number of events from which to read attribute names and values, because the store has no list of them. */
const maxSampledEvents = 200
/** Limits the work, because each event may have thousands of attributes. */
export const maxSampledAttributes = 10_000
const maxLength = 100

type Option = Completion['options'][number]

/**
 * Returns the completions at the cursor, most likely first.
 * @param sampled the events from which to read attributes; values of fields are read from all events in the window
 */
export async function completionOptions(
  context: CursorContext,
  sampled: Filter,
  store: Pick<Store, 'facets' | 'wholeEvents'>,
  signal: AbortSignal,
): Promise<Option[]> {
  if (context.kind === 'name')
    return nameOptions(context.typed, () => sampleAttributes(sampled, store, signal))
  const { field, head } = context
  const values =
    typeof field === 'string'
      ? await fieldValues(field, sampled.window, store, signal)
      : attributeValues(await sampleAttributes(sampled, store, signal), field.path)
  const options = new Map<string, Option>()
  for (const value of values) {
    const term = isTypeable(value.value) ? termOf(value, context) : null
    if (term !== null) options.set(term, { text: head + term, label: value.value, hint: value.hint })
  }
  return [...options.values()].slice(0, maxOptions)
}

/** Returns the text after `field:`, or `null` if the value does not match the typed text. */
function termOf(
  { value, isSyntax = false }: Value,
  { field, comparison, typed }: ValueContext,
): string | null {
  if (includesIgnoringCase(value, comparison + typed)) return isSyntax ? value : quoted(value)
  const isAllowed = comparison === '' || comparison === '=' || isComparable(field, value)
  return isAllowed && !isSyntax && includesIgnoringCase(value, typed) ? comparison + quoted(value) : null
}

/** Whether a search can compare a field with this value, and not only test whether they are equal. */
function isComparable(field: ValueContext['field'], value: string): boolean {
  if (field === 'severity') return true
  const isNumeric = typeof field !== 'string' || field === 'status' || field === 'duration'
  return isNumeric && readNumber(value) !== null
}

/** Whether text is short, and has no line breaks, which text fields remove. */
function isTypeable(text: string): boolean {
  return text.length <= maxLength && !/[\r\n]/.test(text)
}

type ValueContext = Extract<CursorContext, { kind: 'value' }>

type Value = {
  value: string
  hint: string
  /** Whether the value is a wildcard or a comparison instead of literal text. */
  isSyntax?: boolean
}

const fixedValues: Partial<Record<QueryField, readonly Value[]>> = {
  severity: [
    ...severities.map(value => ({ value, hint: '' })),
    { value: '>=warn', hint: 'warnings and worse', isSyntax: true },
  ],
  source: eventSources.map(value => ({ value, hint: '' })),
  method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map(value => ({ value, hint: '' })),
  duration: [
    { value: '>100', hint: 'longer than 100 ms', isSyntax: true },
    { value: '>1s', hint: 'longer than a second', isSyntax: true },
  ],
  failure: failureStates.map(value => ({ value, hint: '' })),
  digest: [{ value: '*', hint: 'any value', isSyntax: true }],
  exception: [{ value: '*', hint: 'any value', isSyntax: true }],
  trace: [{ value: '*', hint: 'any value', isSyntax: true }],
  request: [{ value: '*', hint: 'any value', isSyntax: true }],
}
const statusRanges: readonly Value[] = [
  { value: '>=500', hint: 'the server failed', isSyntax: true },
  { value: '>=400', hint: 'the request failed', isSyntax: true },
]

async function fieldValues(
  field: QueryField,
  window: Window,
  store: Pick<Store, 'facets'>,
  signal: AbortSignal,
): Promise<readonly Value[]> {
  const fixed = fixedValues[field]
  if (fixed !== undefined) return fixed
  const facet = facetFields.find((each): each is FacetField => each === field)
  if (facet === undefined) return []
  const [counts] = await store.facets({ window, query: { kind: 'all' } }, [facet], maxFacetValues, signal)
  const values = (counts?.values ?? []).map(({ value, count }) => ({ value, hint: `${count}` }))
  return field === 'status' ? [...values, ...statusRanges] : values
}

/** Returns the matching fields of the search language, followed by the matching attributes of existing events. */
async function nameOptions(typed: string, sample: () => Promise<Sample>): Promise<Option[]> {
  const prefix = typed.toLowerCase()
  const fields = fieldHelp
    .filter(({ field, aliases }) => [field, ...aliases].some(name => name.toLowerCase().startsWith(prefix)))
    .map(({ field, meaning }) => ({ text: `${field}:`, label: `${field}:`, hint: meaning }))
  if (typed.length < 2 || fields.length >= maxOptions) return fields.slice(0, maxOptions)
  const paths = [...new Set((await sample()).map(({ path }) => path))]
    .filter(path => includesIgnoringCase(path, typed) && isTypeable(path))
    .map(path => ({ text: `${attributeField(path)}:`, label: `${path}:`, hint: 'attribute' }))
  return [...fields, ...paths].slice(0, maxOptions)
}

/** `value` is `null` for JSON's `null`, which is not suggested, because a search for `null` does not find it. */
type Sample = { path: string; value: string | null }[]

async function sampleAttributes(
  sampled: Filter,
  store: Pick<Store, 'wholeEvents'>,
  signal: AbortSignal,
): Promise<Sample> {
  const { events } = await store.wholeEvents({ ...sampled, limit: maxSampledEvents }, signal)
  const sample: Sample = []
  for (const { attributes } of events) addLeaves(sample, attributes, [])
  return sample
}

function addLeaves(sample: Sample, value: Json, keys: readonly string[]): void {
  if (sample.length >= maxSampledAttributes) return
  if (typeof value !== 'object' || value === null) {
    if (isSearchable(keys))
      sample.push({ path: keys.join('.'), value: value === null ? null : String(value) })
    return
  }
  // Array elements have only numeric names, which nobody types.
  if (Array.isArray(value)) return
  for (const key in value) addLeaves(sample, value[key] ?? null, [...keys, key])
}

function attributeValues(sample: Sample, path: string): Value[] {
  const counts = new Map<string, number>()
  for (const { path: other, value } of sample) {
    if (other === path && value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => ({ value, hint: '' }))
}

function includesIgnoringCase(text: string, typed: string): boolean {
  return text.toLowerCase().includes(typed.toLowerCase())
}
