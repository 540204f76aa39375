/**
 * Collects values by key, such as counts by a name that clients choose. If there are more than `max`, discards the less
 * important half. A discarded key that is used again gets a new value, so values are exact only for up to `max` keys.
 * @param byImportance sorts the most important values first
 */
export function createLimitedMap<Value>(max: number, byImportance: (a: Value, b: Value) => number) {
  let values = new Map<string, Value>()
  let discards = 0
  const valueAt = (key: string, create: () => Value): Value => {
    const existing = values.get(key)
    if (existing !== undefined) return existing
    if (values.size >= max) {
      const sorted = [...values].sort(([, a], [, b]) => byImportance(a, b))
      values = new Map(sorted.slice(0, Math.floor(max / 2)))
      discards += 1
    }
    const value = create()
    values.set(key, value)
    return value
  }
  return {
    /**
     * Returns a function that returns the value of a key, faster than a map. Update the value before using another key.
     * @param create returns the value of a new key
     */
    finder(key: string, create: () => Value): () => Value {
      let value = valueAt(key, create)
      let discardsBefore = discards
      return () => {
        if (discards !== discardsBefore) {
          value = valueAt(key, create)
          discardsBefore = discards
        }
        return value
      }
    },
    values: (): Value[] => [...values.values()],
  }
}
