/** More groups (for example, if routes contain ids) would use more memory than the events. */
export const maxGroups = 20_000

/** The approximate memory usage of a group, without its strings. */
const groupBytes = 300

/** The groups of events in memory, by index. A group's index never changes. */
export type GroupList<Group> = {
  readonly list: readonly Group[]
  /** Returns the index of the group with the same fields as `group`. Adds `group` if there is none. */
  indexOf(group: Group): number
  /** Whether there are more than `maxGroups` groups. */
  hasTooMany(): boolean
  /** The approximate memory usage of all groups. */
  sizeBytes(): number
}

/** @param keyOf returns a different text for each combination of fields */
export function createGroupList<Group>(keyOf: (group: Group) => string): GroupList<Group> {
  const list: Group[] = []
  const indexes = new Map<string, number>()
  let sizeBytes = 0
  return {
    list,
    indexOf(group) {
      const key = keyOf(group)
      const existing = indexes.get(key)
      if (existing !== undefined) return existing
      indexes.set(key, list.length)
      list.push(group)
      // The length of the key counts twice, because the group's strings contain the same text.
      sizeBytes += groupBytes + 2 * key.length
      return list.length - 1
    },
    hasTooMany: () => list.length > maxGroups,
    sizeBytes: () => sizeBytes,
  }
}
