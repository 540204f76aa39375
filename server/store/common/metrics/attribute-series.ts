import type { AttributeSeries } from '../../event-store.ts'

/** Aggregates numbers by series and bucket: see `attributeSeries` in `EventStore`. */
export type SeriesTotals = {
  /** @param index the index of the series */
  add(index: number, bucket: number, value: number): void
  /** The values of each series, by bucket. */
  values(): (number | null)[][]
}

/** @param buckets the number of buckets */
export function createSeriesTotals(series: readonly AttributeSeries[], buckets: number): SeriesTotals {
  const totals = series.map(() => Array.from({ length: buckets }, () => emptyTotal()))
  return {
    add(index, bucket, value) {
      const total = totals[index]?.[bucket]
      if (total === undefined) return
      total.count += 1
      total.sum += value
      total.highest = Math.max(total.highest, value)
    },
    values: () => series.map(({ aggregate }, index) => (totals[index] ?? []).map(aggregates[aggregate])),
  }
}

type Total = { count: number; sum: number; highest: number }

function emptyTotal(): Total {
  return { count: 0, sum: 0, highest: Number.NEGATIVE_INFINITY }
}

const aggregates: Readonly<Record<AttributeSeries['aggregate'], (total: Total) => number | null>> = {
  mean: ({ count, sum }) => (count === 0 ? null : sum / count),
  highest: ({ count, highest }) => (count === 0 ? null : highest),
  sum: ({ count, sum }) => (count === 0 ? null : sum),
}
