import type { Attributes, Json } from '../../../shared/event.ts'
import { isObject } from '../../../shared/read-value.ts'
import { setField } from '../../events/clean.ts'

/** Returns tags, which old SDKs send as a list of pairs, as an object. */
export function tagsOf(given: Json | undefined): Attributes {
  if (given !== undefined && isObject(given)) return given
  const tags: Attributes = {}
  if (!Array.isArray(given)) return tags
  for (const pair of given) {
    if (Array.isArray(pair) && typeof pair[0] === 'string') setField(tags, pair[0], pair[1] ?? null)
  }
  return tags
}
