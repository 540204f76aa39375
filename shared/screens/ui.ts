import type { EventRow, LogEvent } from '../event.ts'
import type { FailureRow } from '../failure.ts'
import type { HtmlFragment } from '../html-fragment.ts'
import type { Frame } from '../stack.ts'
import type { FailureDetail } from './development.ts'

/** The pages of the catalogue, in menu order. The first page is the default. */
export const uiGroups = ['labels', 'controls', 'messages', 'numbers', 'events', 'failures'] as const
export type UiGroup = (typeof uiGroups)[number]

/** One page of the catalogue, with the fixed data for its components. */
export type UiContent = {
  /** The instant to which all times on the page are relative. */
  instantMs: number
} & (
  | { group: 'labels' | 'controls' | 'messages' }
  | ({ group: 'numbers' } & UiNumbers)
  | ({ group: 'events' } & UiEvents)
  | ({ group: 'failures' } & UiFailures)
)

export type UiNumbers = {
  charts: { title: string; chart: HtmlFragment }[]
  /** Tables of chart values. */
  tables: HtmlFragment[]
  sparkline: number[]
}

export type UiEvents = { events: EventRow[]; open: LogEvent }
export type UiFailures = {
  failure: FailureRow & Pick<FailureDetail, 'frames' | 'stack'>
  /** One unmapped frame for each reason except `ambiguous`. */
  unmapped: Frame[]
  /** An `ambiguous` frame, which several maps match. */
  ambiguous: Frame[]
}
