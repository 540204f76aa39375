import type { Attributes, Json } from '../../shared/event.ts'
import { isObject } from '../../shared/read-value.ts'

/** Deeper values are shown as JSON. */
const maxDepth = 6

/** Flattens nested attributes to dotted paths. Lists and empty objects are not flattened. */
export function flatten(attributes: Attributes): { path: string; value: Json }[] {
  const flat: { path: string; value: Json }[] = []
  function add(path: string, value: Json, depth: number): void {
    const entries = isObject(value) ? Object.entries(value) : []
    if (entries.length === 0 || depth > maxDepth) flat.push({ path, value })
    else for (const [key, inner] of entries) add(`${path}.${key}`, inner, depth + 1)
  }
  for (const [key, value] of Object.entries(attributes)) add(key, value, 1)
  return flat
}
