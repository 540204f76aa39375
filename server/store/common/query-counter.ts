import type { StoreStats } from '../store.ts'

/** Counts queries, and adds up their durations. */
export function createQueryCounter() {
  let [queries, queriesMs] = [0, 0]
  return {
    async measure<T>(query: () => Promise<T>): Promise<T> {
      const sinceMs = performance.now()
      try {
        return await query()
      } finally {
        queries += 1
        queriesMs += performance.now() - sinceMs
      }
    },
    totals: (): Pick<StoreStats, 'queries' | 'queriesMs'> => ({ queries, queriesMs }),
  }
}
