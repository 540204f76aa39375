import type { Attributes, EventRow, EventSource, LogEvent } from '../event.ts'
import type { FailureRow } from '../failure.ts'
import type { Markup } from '../markup.ts'
import type { FailureDetail } from './development.ts'

export type UiContent = {
  /** Charts over fixed figures, as the other screens draw them. */
  charts: { title: string; chart: Markup }[]
  events: EventRow[]
  open: LogEvent
  failure: FailureRow & Pick<FailureDetail, 'frames' | 'stack'>
  attributes: Attributes
  sources: EventSource[]
}
