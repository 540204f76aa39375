/** Groups by a key, which can be any JSON value, in order of first occurrence. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => unknown): [first: T, group: T[]][] {
  const groups = new Map<string, [T, T[]]>()
  for (const item of items) {
    const key = JSON.stringify(keyOf(item))
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item, [item]])
    else group[1].push(item)
  }
  return [...groups.values()]
}
