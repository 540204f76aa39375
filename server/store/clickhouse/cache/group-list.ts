/** More groups, for example because routes contain ids, would use more memory than the events. */
export const maxGroups = 20_000

/** The groups of cached events, by index. A group's index never changes. */
export type GroupList<Group> = {
  readonly list: readonly Group[]
  /** Returns the index of the group with the same fields as `group`. Adds `group` if there is none. */
  indexOf(group: Group): number
  /** Whether there are `maxGroups` groups or more. */
  isFull(): boolean
}

/** @param keyOf returns a different text for each combination of fields */
export function createGroupList<Group>(keyOf: (group: Group) => string): GroupList<Group> {
  const list: Group[] = []
  const indexes = new Map<string, number>()
  return {
    list,
    indexOf(group) {
      const key = keyOf(group)
      const existing = indexes.get(key)
      if (existing !== undefined) return existing
      indexes.set(key, list.length)
      list.push(group)
      return list.length - 1
    },
    isFull: () => list.length >= maxGroups,
  }
}
