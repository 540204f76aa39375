import { type ReactNode, useEffect, useRef } from 'react'
import { formatCount, formatDuration } from '../../shared/format.ts'
import { isFailureSeverity } from '../../shared/severity.ts'
import type { ClockSkew, Waterfall as Content, WaterfallLine } from '../../shared/waterfall.ts'
import { Icon } from './icon.tsx'
import { plainText } from './plain-text.ts'
import { SeverityLabel } from './severity-label.tsx'

/** Service colours, ordered by each service's first event. They repeat, because each row also shows the service name. */
const lanes = ['accent', 'second', 'third', 'neutral'] as const

/**
 * The events of a trace or request, ordered by start time. Events with a duration are bars; others are points. Rows link to
 * their events. Collapsed if there is only one event.
 */
export function Waterfall(props: {
  waterfall: Content
  hrefFor: (event: { id: number }) => string
  openId?: number | undefined
}) {
  const { waterfall, hrefFor, openId } = props
  const { by, id, isSearch, lines, lengthMs, services, skews, total } = waterfall
  const frame = useRef<HTMLDivElement>(null)

  // Scroll the open event's row to the middle of the frame, without scrolling the page.
  useEffect(() => {
    const row = openId === undefined ? null : frame.current?.querySelector<HTMLElement>('tr[data-open]')
    if (frame.current === null || !row) return
    const top = row.getBoundingClientRect().top - frame.current.getBoundingClientRect().top
    frame.current.scrollTop += top - frame.current.clientHeight / 2
  }, [openId])

  return (
    <section
      className="waterfall"
      aria-label={by === 'trace' ? 'Trace' : 'Request'}
      data-wide={isSearch || undefined}
    >
      {/* The key resets the open state when another trace is shown. */}
      <details key={id} open={total > 1}>
        <summary>
          {total > 1 ? (
            <>
              <strong>Full {by}</strong>: {formatCount(total)} events from {servicesWords(services)} in{' '}
              {formatDuration(lengthMs)}
            </>
          ) : (
            `No other events in this ${by}`
          )}
        </summary>
        <OmittedEvents waterfall={waterfall} />
        {skews.length > 0 && (
          <ul className="waterfall-notes">
            {skews.map(skew => (
              <li key={JSON.stringify(skew)}>
                <Icon name="clock" />
                <span>
                  <SkewWords skew={skew} />
                </span>
              </li>
            ))}
          </ul>
        )}
        <div
          ref={frame}
          className="waterfall-frame"
          {...(isSearch ? {} : { tabIndex: 0, role: 'group', 'aria-label': 'Rows' })}
        >
          <table>
            <caption className="visually-hidden">Events ordered by start time</caption>
            <thead>
              <tr>
                <th scope="col" className="num">
                  Start
                </th>
                <th scope="col">Event</th>
                <th scope="col" className="num">
                  Duration
                </th>
                <th scope="col" className="waterfall-track">
                  <span className="visually-hidden">Timeline</span>
                  <span className="waterfall-axis" aria-hidden="true">
                    <span>0 ms</span>
                    <span>{formatDuration(lengthMs)}</span>
                  </span>
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map(line =>
                line.kind === 'gap' ? (
                  <GapRow key={`gap ${line.left}`} line={line} />
                ) : (
                  <WaterfallRow
                    key={line.id}
                    line={line}
                    lane={lanes[services.indexOf(line.service) % lanes.length] ?? 'neutral'}
                    href={hrefFor(line)}
                    isOpen={line.id === openId}
                  />
                ),
              )}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  )
}

/** Shows which events are omitted, with a link to all events. */
function OmittedEvents({ waterfall: { shown, isSearch, logHref, total, lines } }: { waterfall: Content }) {
  if (shown === 'all') return null
  const listed = shown === 'notable' ? 'the' : `the newest ${formatCount(lines.length)}`
  return (
    <p className="waterfall-more">
      Showing {listed} requests, warnings and failures of {formatCount(total)} events.{' '}
      {isSearch ? 'The log below shows all events.' : <a href={logHref}>Show all events in the log</a>}
    </p>
  )
}

type EventLine = Extract<WaterfallLine, { kind: 'event' }>
type GapLine = Extract<WaterfallLine, { kind: 'gap' }>

function WaterfallRow(props: {
  line: EventLine
  lane: (typeof lanes)[number]
  href: string
  isOpen: boolean
}) {
  const { line, lane, href, isOpen } = props
  const { offsetMs, durationMs, service, request, text, isFailed, left, width } = line
  return (
    <tr data-open={isOpen || undefined} data-tone={lane}>
      <td className="num">{formatDuration(offsetMs)}</td>
      <td>
        <div className="waterfall-event">
          <span className="waterfall-service">
            <bdi>{plainText(service)}</bdi>
          </span>
          <FailureMark line={line} />
          <a href={href} dir="auto" aria-current={isOpen ? 'true' : undefined}>
            {request !== null && <strong>{plainText(request)}</strong>}
            {request === null && text.trim() === '' && '(no message)'}
            {text !== '' && <span data-aside={request !== null || undefined}> {plainText(text)}</span>}
          </a>
        </div>
      </td>
      <td className="num">{durationMs !== null && formatDuration(durationMs)}</td>
      <Track failed={isFailed}>
        {durationMs !== null && <rect x={`${left}%`} y="3" width={`${width}%`} height="6" rx="1" />}
        {/* A minimum width keeps short durations visible. */}
        {durationMs === null ? (
          <circle cx={`${left}%`} cy="6" r="3" />
        ) : (
          <rect x={`${left}%`} y="3" width="2" height="6" />
        )}
      </Track>
    </tr>
  )
}

function GapRow({ line: { gapMs, left, width } }: { line: GapLine }) {
  return (
    <tr className="waterfall-gap">
      <td />
      <td colSpan={2}>{formatDuration(gapMs)} without logs</td>
      <Track>
        <line x1={`${left}%`} x2={`${left + width}%`} y1="6" y2="6" />
      </Track>
    </tr>
  )
}

function Track({ failed, children }: { failed?: boolean; children: ReactNode }) {
  return (
    <td className="waterfall-track">
      <svg width="100%" height="12" aria-hidden="true" data-failed={failed || undefined}>
        {children}
      </svg>
    </td>
  )
}

/** Marks warnings and failures with an icon and a word. */
function FailureMark({ line: { severity, isFailed } }: { line: EventLine }) {
  if (severity === 'warn' || isFailureSeverity(severity)) return <SeverityLabel severity={severity} />
  return isFailed ? (
    <span className="severity" data-severity="error">
      failed
    </span>
  ) : null
}

function SkewWords({ skew: { kind, service, other, minSkewMs } }: { skew: ClockSkew }) {
  const least = formatDuration(minSkewMs)
  const one = <bdi>{plainText(service)}</bdi>
  const two = <bdi>{plainText(other)}</bdi>
  return kind === 'behind' ? (
    <>
      The clock of {one} is at least {least} behind that of {two}: its request starts before the request that
      called it.
    </>
  ) : (
    <>
      The clock of {one} is at least {least} ahead of that of {two}, or {two} did not wait for it: its request
      starts after the request that called it has ended.
    </>
  )
}

function servicesWords(services: readonly string[]): ReactNode {
  const [first = ''] = services
  return services.length === 1 ? <bdi>{plainText(first)}</bdi> : `${services.length} services`
}
