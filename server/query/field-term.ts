import type { Comparison, QueryField } from '../../shared/query.ts'

/** The parts of `field:value`. `name` is the field's name as typed; `place` is the position of the value. */
export type FieldTerm = {
  field: QueryField
  name: string
  comparison: Comparison
  value: string
  isQuoted: boolean
  place: { from: number; to: number }
}
