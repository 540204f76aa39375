import type { Attributes, EventRow, EventSource, LogEvent } from '../event.ts'
import type { FailureRow } from '../failure.ts'
import type { Markup } from '../markup.ts'
import type { FailureDetail } from './development.ts'

export type UiContent = {
  /** Charts of fixed data. */
  charts: { title: string; chart: Markup }[]
  events: EventRow[]
  open: LogEvent
  failure: FailureRow & Pick<FailureDetail, 'frames' | 'stack'>
  attributes: Attributes
  sources: EventSource[]
}
