import { goalText, isMet } from './goal.ts'
import { type Metric, type MetricId, metrics } from './metrics.ts'

/** A reference measured in the same run. */
export type Reference = { name: string; value: number }
export type Measurement = { id: MetricId; value: number; references?: readonly Reference[] }

/** A row of the table. `isMet` is `null` if there is no goal, or no reference to compare with. */
export type Row = {
  metric: string
  unit: string
  value: number
  references: (Reference & { ratio: number })[]
  goal: string | null
  isMet: boolean | null
}

/** Compares the measurements with their references and goals, in the order of the metrics. */
export function rowsOf(measurements: readonly Measurement[]): Row[] {
  const order = Object.keys(metrics)
  return measurements
    .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
    .map(({ id, value, references = [] }) => {
      const { title, unit, goal }: Metric = metrics[id]
      const compared = references.map(each => ({ ...each, ratio: value / each.value }))
      const judged = goal?.of === 'ratio' ? compared[0]?.ratio : value
      return {
        metric: title,
        unit,
        value,
        references: compared,
        goal: goal === undefined ? null : goalText(goal, unit),
        isMet: goal === undefined || judged === undefined ? null : isMet(goal, judged),
      }
    })
}
