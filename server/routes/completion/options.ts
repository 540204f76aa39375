import type { Completion } from '../../../shared/completion.ts'
import { eventSources, type Json, severities } from '../../../shared/event.ts'
import { failureStates } from '../../../shared/failure.ts'
import { attributeField, type QueryField, quoted } from '../../../shared/query.ts'
import { fieldHelp } from '../../../shared/query-help.ts'
import type { Window } from '../../../shared/range.ts'
import { type FacetField, facetFields } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import type { Place } from './cursor.ts'

const shown = 8
/** Values that are looked at for those that hold what was typed. */
const lookedAt = 500
/** Attributes have no list of their own: those of the newest events say which there are. */
const sampled = 200
const longestValue = 100

type Option = Completion['options'][number]

/** What may stand at a place of a search, most likely first. */
export async function optionsAt(
  place: Place,
  window: Window,
  store: Pick<Store, 'facets' | 'wholeEvents'>,
  signal: AbortSignal,
): Promise<Option[]> {
  if (place.kind === 'name') return namesLike(place.typed, () => sampleOf(window, store, signal))
  const { field, head, typed } = place
  const values =
    typeof field === 'string'
      ? await valuesOf(field, window, store, signal)
      : attributeValues(await sampleOf(window, store, signal), field.path)
  return values
    .filter(({ value }) => holds(value, typed) && value.length <= longestValue)
    .slice(0, shown)
    .map(({ value, hint }) => ({
      text: `${head}${isOperand(value) ? value : quoted(value)}`,
      label: value,
      hint,
    }))
}

type Value = { value: string; hint: string }

const fixed: Partial<Record<QueryField, readonly Value[]>> = {
  severity: [
    ...severities.map(value => ({ value, hint: '' })),
    { value: '>=warn', hint: 'warnings and worse' },
  ],
  source: eventSources.map(value => ({ value, hint: '' })),
  method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map(value => ({ value, hint: '' })),
  duration: [
    { value: '>100', hint: 'longer than 100 ms' },
    { value: '>1s', hint: 'longer than a second' },
  ],
  failure: failureStates.map(value => ({ value, hint: '' })),
  digest: [{ value: '*', hint: 'has one' }],
  exception: [{ value: '*', hint: 'has one' }],
  trace: [{ value: '*', hint: 'has one' }],
  request: [{ value: '*', hint: 'has one' }],
}
const statusRanges: readonly Value[] = [
  { value: '>=500', hint: 'the server failed' },
  { value: '>=400', hint: 'the request failed' },
]

async function valuesOf(
  field: QueryField,
  window: Window,
  store: Pick<Store, 'facets'>,
  signal: AbortSignal,
): Promise<readonly Value[]> {
  const known = fixed[field]
  if (known !== undefined) return known
  const facet = facetFields.find((each): each is FacetField => each === field)
  if (facet === undefined) return []
  const [counts] = await store.facets({ window, query: { kind: 'all' } }, [facet], lookedAt, signal)
  const values = (counts?.values ?? []).map(({ value, count }) => ({ value, hint: `${count}` }))
  return field === 'status' ? [...values, ...statusRanges] : values
}

/** The fields of the language, then the attributes that there are. */
async function namesLike(typed: string, sample: () => Promise<Sample>): Promise<Option[]> {
  const begins = typed.toLowerCase()
  const fields = fieldHelp
    .filter(({ field, aliases }) => [field, ...aliases].some(name => name.toLowerCase().startsWith(begins)))
    .map(({ field, meaning }) => ({ text: `${field}:`, label: `${field}:`, hint: meaning }))
  if (typed.length < 2 || fields.length >= shown) return fields.slice(0, shown)
  const paths = [...new Set((await sample()).map(({ path }) => path))]
    .filter(path => holds(path, typed) && path.length <= longestValue)
    .map(path => ({ text: `${attributeField(path)}:`, label: `${path}:`, hint: 'attribute' }))
  return [...fields, ...paths].slice(0, shown)
}

type Sample = { path: string; value: string }[]

async function sampleOf(
  window: Window,
  store: Pick<Store, 'wholeEvents'>,
  signal: AbortSignal,
): Promise<Sample> {
  const { events } = await store.wholeEvents({ window, query: { kind: 'all' }, limit: sampled }, signal)
  return events.flatMap(({ attributes }) => leaves(attributes, []))
}

function leaves(value: Json, path: readonly string[]): Sample {
  if (typeof value !== 'object' || value === null) return [{ path: path.join('.'), value: String(value) }]
  // A list has numbers for names: nobody types those.
  if (Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))
}

function attributeValues(sample: Sample, path: string): Value[] {
  const counts = new Map<string, number>()
  for (const each of sample) {
    if (each.path === path) counts.set(each.value, (counts.get(each.value) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => ({ value, hint: '' }))
}

function holds(text: string, typed: string): boolean {
  return text.toLowerCase().includes(typed.toLowerCase())
}

/** What the language reads as more than a text. */
function isOperand(value: string): boolean {
  return value === '*' || /^[<>]=?\w+$/.test(value)
}
