import type { Comparison, QueryField } from '../../shared/query.ts'

/**
 * The parts of `field:value`. `name` is the name as typed, without quotes or the prefix `attributes.`; `position` is that
 * of the value.
 */
export type FieldTerm = {
  field: QueryField
  name: string
  comparison: Comparison
  value: string
  isQuoted: boolean
  position: { from: number; to: number }
}
