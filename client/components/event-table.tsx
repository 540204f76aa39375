import { Fragment, type ReactNode } from 'react'
import type { EventRow } from '../../shared/content.ts'
import { formatDate, formatDuration } from '../../shared/format.ts'
import { usePage } from '../page.ts'
import { plainText } from './plain-text.ts'
import { SeverityLabel } from './severity-label.tsx'
import { Time } from './time.tsx'

/** The rows of the log. A row's message is the link that opens it; on a narrow screen a row takes two lines. */
export function EventTable(props: {
  events: EventRow[]
  hrefFor: (event: EventRow) => string
  openId?: number | null | undefined
  caption: string
  /** What stands between an event and the one below it, such as a note on events that are missing there. */
  below?: ((event: EventRow) => ReactNode) | undefined
}) {
  const { nowMs, preferences } = usePage()
  const today = formatDate(nowMs, preferences)
  const dated = props.events.some(({ timeMs }) => formatDate(timeMs, preferences) !== today)
  return (
    <div className="events-frame">
      {/* Where a date stands before a time, the column is wide enough for both in every row. */}
      <table className="events" data-dated={dated || undefined}>
        <caption className="visually-hidden">{props.caption}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Severity</th>
            <th scope="col">Service</th>
            <th scope="col">Message</th>
            <th scope="col">Route</th>
            <th scope="col">Status</th>
            <th scope="col" className="num">
              Duration
            </th>
          </tr>
        </thead>
        <tbody>
          {props.events.map(event => (
            <Fragment key={event.id}>
              <Row event={event} href={props.hrefFor(event)} open={event.id === props.openId} />
              <Note>{props.below?.(event)}</Note>
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Note({ children }: { children: ReactNode }) {
  if (children === undefined || children === null) return null
  return (
    <tr className="events-note">
      <td colSpan={7}>{children}</td>
    </tr>
  )
}

function Row({ event, href, open }: { event: EventRow; href: string; open: boolean }) {
  const { severity, service, method, route, status, durationMs } = event
  return (
    <tr id={`event-${event.id}`} data-severity={severity} data-open={open || undefined}>
      <td className="events-time">
        <Time ms={event.timeMs} precision="millisecond" />
      </td>
      <td className="events-severity">
        <SeverityLabel severity={severity} />
      </td>
      <td className="events-service" title={service}>
        <bdi>{service}</bdi>
      </td>
      <td className="events-message">
        <a href={href} dir="auto" aria-current={open ? 'true' : undefined}>
          <Message event={event} />
        </a>
      </td>
      <td className="events-route" title={route ?? undefined}>
        {route !== null && <bdi>{method === null ? route : `${method} ${route}`}</bdi>}
      </td>
      <td className="events-status">
        {status !== null && <span data-class={Math.floor(status / 100)}>{status}</span>}
      </td>
      <td className="events-duration num">{durationMs !== null && formatDuration(durationMs)}</td>
    </tr>
  )
}

function Message({ event }: { event: EventRow }) {
  const body = plainText(event.body).trim()
  const type = event.exceptionType
  return (
    <>
      {type !== null && !body.startsWith(type) && (
        <span className="events-exception">{plainText(type)} </span>
      )}
      {body === '' ? <span className="muted">(no message)</span> : body}
    </>
  )
}
