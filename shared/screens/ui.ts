import type { Attributes, EventRow, EventSource, LogEvent } from '../event.ts'
import type { FailureRow } from '../failure.ts'
import type { HtmlFragment } from '../html-fragment.ts'
import type { FailureDetail } from './development.ts'

export type UiContent = {
  /** Charts with fixed data. */
  charts: { title: string; chart: HtmlFragment }[]
  events: EventRow[]
  open: LogEvent
  failure: FailureRow & Pick<FailureDetail, 'frames' | 'stack'>
  attributes: Attributes
  sources: EventSource[]
}
