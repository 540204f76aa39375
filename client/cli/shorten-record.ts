import type { Attributes, Json } from '../../shared/event.ts'
import { quoteUnsafeIntegers } from '../../shared/exact-integers.ts'
import { maxTextLength, withCutNote } from './cut-text.ts'

/** The server rejects records with more values (`maxJsonValues` in server/ingest/parse-json.ts). */
const maxValues = 20_000
/** The server stores no more of a list or object, and no deeper levels (server/events/clean.ts). */
const maxEntries = 1000
const maxDepth = 16
/** With fewer entries, the stack of an error would lose too many frames. */
const minEntries = 7

type Limits = { textLength: number; entries: number }

/**
 * Shortens the longest texts, lists and objects in a JSON object until it has at most `maxBytes` and the server accepts it.
 * All fields of the object itself remain. If that is not enough, returns the JSON unchanged.
 */
export function shortenRecord(json: string, maxBytes: number): string {
  const record: Json = JSON.parse(quoteUnsafeIntegers(json))
  let limits: Limits = { textLength: maxTextLength, entries: maxEntries }
  while (limits.entries >= minEntries) {
    const { value, count } = shorten(record, limits)
    const shortened = JSON.stringify(value)
    if (count <= maxValues && Buffer.byteLength(shortened) <= maxBytes) return shortened
    limits = { textLength: limits.textLength >> 1, entries: limits.entries >> 1 }
  }
  return json
}

/** Returns a shortened copy and the number of its values, including lists and objects. */
function shorten(record: Json, { textLength, entries }: Limits): { value: Json; count: number } {
  let count = 0

  const shortenValue = (value: Json, depth: number): Json => {
    count += 1
    if (typeof value === 'string')
      return value.length <= textLength
        ? value
        : withCutNote(value.slice(0, textLength), value.length - textLength)
    if (typeof value !== 'object' || value === null) return value
    if (depth > maxDepth) return '[deeper]'
    return Array.isArray(value) ? shortenList(value, depth) : shortenObject(value, depth)
  }
  const shortenList = (list: readonly Json[], depth: number): Json[] => {
    const shortened = list.slice(0, entries).map(value => shortenValue(value, depth + 1))
    return list.length > entries ? [...shortened, more(list.length - entries)] : shortened
  }
  const shortenObject = (object: Attributes, depth: number): Attributes => {
    const fields = Object.entries(object)
    const kept = depth === 0 ? fields : fields.slice(0, entries)
    const note = kept.length < fields.length ? [['…', more(fields.length - kept.length)]] : []
    return Object.fromEntries([
      ...kept.map(([name, value]) => [name, shortenValue(value, depth + 1)]),
      ...note,
    ])
  }

  const value = shortenValue(record, 0)
  return { value, count }
}

function more(count: number): string {
  return `[${count} more]`
}
