import { maxPathParts } from '../../../shared/attribute-path.ts'

/**
 * Returns the lists of keys that a dotted path may refer to. Dots separate nested keys, or belong to a key, as in
 * OpenTelemetry. A key with dots may be nested in other keys (`app.kubernetes.io/name` in `labels`), or contain others, one
 * of which may also have dots. `isSearchable` tests whether nested keys are in one of these lists.
 * @returns the nested keys first, then the whole path as one key
 */
export function attributeKeys(path: string): string[][] {
  const parts = path.split('.')
  if (parts.length === 1) return [parts]
  const mixed: string[][] = []
  for (let at = 1; at < parts.length - 1 && parts.length <= maxPathParts; at += 1) {
    mixed.push([...parts.slice(0, at), parts.slice(at).join('.')])
    const [first, rest] = [parts.slice(0, at + 1).join('.'), parts.slice(at + 1)]
    mixed.push([first, ...rest])
    if (rest.length > 1) mixed.push([first, rest.join('.')])
  }
  return [parts, [path], ...mixed]
}
