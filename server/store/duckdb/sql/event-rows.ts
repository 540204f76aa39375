import { createShapes } from '../../common/event-rows.ts'
import { number } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { attributeText } from './attribute.ts'
import { readSeverity } from './severity.ts'

export const { rowShape, wholeEvent } = createShapes({
  eventColumns: sql`*`,
  attributeText,
  readSeverity: value => readSeverity(number(value)),
})
