import { Fragment, type ReactNode } from 'react'
import { type Column, columnKey, defaultColumns, parseColumns } from '../../shared/columns.ts'
import type { EventRow } from '../../shared/event.ts'
import { formatDate } from '../../shared/format.ts'
import { isFailureSeverity } from '../../shared/severity.ts'
import { usePage } from '../page.ts'
import { Cell, cellClasses, columnTitle, fieldOf, hasText } from './event-columns.tsx'
import { EventMessage } from './event-message.tsx'
import { isAscii } from './plain-text.ts'
import { Time } from './time.tsx'

const standardColumns = parseColumns(defaultColumns)

/**
 * A table of events. Each message links to its event. Columns without a value in any row are hidden, so that the message
 * column gets their space. On narrow screens, a row spans several lines.
 */
export function EventTable(props: {
  events: EventRow[]
  /** The number of events to render. The columns depend on all `events`, so that a new limit does not move them. */
  limit?: number
  columns?: Column[]
  /**
   * Whether events can be added while the table is shown. The severity column is then always visible, so that the first error
   * does not move the other columns.
   */
  canGrow?: boolean
  /** Search terms to highlight in the messages. */
  marks?: readonly string[]
  hrefFor: (event: EventRow) => string
  openId?: number | null | undefined
  caption: string
  /** Renders a note below an event, for example about missing events. */
  below?: ((event: EventRow) => ReactNode) | undefined
}) {
  const { columns: chosen = standardColumns, marks = [] } = props
  const columns = chosen.filter(
    column =>
      (props.canGrow && fieldOf(column) === 'severity') || props.events.some(event => hasText(column, event)),
  )
  const { nowMs, preferences } = usePage()
  const today = formatDate(nowMs, preferences)
  const dated = props.events.some(({ timeMs }) => formatDate(timeMs, preferences) !== today)
  return (
    <div className="events-frame">
      {/* The time column is wider if any row shows a date, or if times are in 12-hour format. */}
      <table
        className="events"
        data-dated={dated || undefined}
        data-clock={preferences.clock === '12h' ? '12h' : undefined}
      >
        <caption className="visually-hidden">{props.caption}</caption>
        <colgroup>
          <col className="events-col-time" />
          {columns.map(column => (
            <col
              key={columnKey(column)}
              // Set only if the visitor chose a width; event-table.css has the defaults.
              width={column.widthPx ?? undefined}
              className={column.widthPx === null ? `events-col-${fieldOf(column)}` : undefined}
            />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {columns.map(column => (
              <th
                key={columnKey(column)}
                scope="col"
                className={cellClasses[fieldOf(column)]}
                data-column={props.columns && columnKey(column)}
              >
                <bdi className={fieldOf(column) === 'severity' ? 'visually-hidden' : undefined}>
                  {columnTitle(column)}
                </bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.events.slice(0, props.limit).map(event => (
            <Fragment key={event.id}>
              <Row
                event={event}
                columns={columns}
                marks={marks}
                href={props.hrefFor(event)}
                open={event.id === props.openId}
              />
              <NoteRow width={columns.length + 1}>{props.below?.(event)}</NoteRow>
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function NoteRow({ width, children }: { width: number; children: ReactNode }) {
  if (children === undefined || children === null) return null
  return (
    <tr className="events-note">
      <td colSpan={width}>{children}</td>
    </tr>
  )
}

type RowProps = {
  event: EventRow
  columns: Column[]
  marks: readonly string[]
  href: string
  open: boolean
}

function Row({ event, columns, marks, href, open }: RowProps) {
  const link = (text: ReactNode) => (
    <a href={href} dir={isAscii(event.body) ? undefined : 'auto'} aria-current={open ? 'true' : undefined}>
      {text}
    </a>
  )
  // Without a message column, the time links to the event.
  const isTimeLinked = !columns.some(column => fieldOf(column) === 'message')
  const isRouteShown = columns.some(column => fieldOf(column) === 'route')
  const shown = isRouteShown ? { ...event, method: null, route: null } : event
  const message = link(<EventMessage event={shown} marks={marks} />)
  const time = <Time ms={event.timeMs} precision="millisecond" />
  return (
    <tr
      id={`event-${event.id}`}
      data-open={open || undefined}
      // The style sheet treats rows without this attribute as `info`.
      data-level={event.severity === 'info' ? undefined : event.severity}
      data-failed={hasFailed(event) || undefined}
    >
      <td>{isTimeLinked ? link(time) : time}</td>
      {columns.map(column => (
        <Cell key={columnKey(column)} column={column} event={event} message={message} />
      ))}
    </tr>
  )
}

/** Whether the row is tinted. */
function hasFailed({ severity, status }: EventRow): boolean {
  return isFailureSeverity(severity) || (status !== null && status >= 500)
}
