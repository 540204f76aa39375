export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/**
 * Measures each task once per round, so that a busy machine affects all tasks equally. Returns a function that returns a
 * task's median.
 */
export async function measureMedians<Name extends string>(
  rounds: number,
  tasks: Readonly<Record<Name, () => Promise<number>>>,
): Promise<(name: Name) => number> {
  const results = new Map<string, number[]>()
  const entries = Object.entries<() => Promise<number>>(tasks)
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of entries) {
      results.set(name, [...(results.get(name) ?? []), await measure()])
    }
  }
  return name => median(results.get(name) ?? [])
}
