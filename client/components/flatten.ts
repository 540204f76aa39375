import { isSearchable } from '../../shared/attribute-path.ts'
import type { Attributes, Json } from '../../shared/event.ts'
import { isObject } from '../../shared/read-value.ts'

/** Deeper values are shown as JSON. */
const maxDepth = 6

/**
 * Flattens nested attributes to dotted paths. Lists, empty objects, and objects with a key that no search for its path finds
 * are not flattened.
 * @param outer the keys of the object that contains these attributes
 */
export function flatten(
  attributes: Attributes,
  outer: readonly string[] = [],
): { path: string; value: Json }[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    const keys = [...outer, key]
    const isFlattened =
      isObject(value) &&
      keys.length <= maxDepth &&
      Object.keys(value).every(inner => isSearchable([...keys, inner]))
    const flat = isFlattened ? flatten(value, keys) : []
    return flat.length > 0 ? flat : { path: keys.join('.'), value }
  })
}
