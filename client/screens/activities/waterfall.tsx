import { type ReactNode, useEffect, useRef } from 'react'
import { formatCount, formatDuration } from '../../../shared/format.ts'
import type { ClockSkew, Waterfall as Content, WaterfallLine } from '../../../shared/waterfall.ts'
import { Icon } from '../../components/icon.tsx'
import { plainText } from '../../components/plain-text.ts'
import { SeverityLabel } from '../../components/severity-label.tsx'

/** Colours of services, in the order in which they come into a trace; the word beside them tells them apart. */
const lanes = ['accent', 'second', 'third', 'neutral'] as const

/**
 * All of one trace or request: a bar for what took time, a point for what was only said, one below the other in the order
 * in which they began. Each row opens its event. It folds where there is one event only.
 */
export function Waterfall(props: {
  waterfall: Content
  hrefFor: (event: { id: number }) => string
  openId?: number | undefined
}) {
  const { waterfall, hrefFor, openId } = props
  const { by, id, isSearch, lines, lengthMs, services, skews, total } = waterfall
  const frame = useRef<HTMLDivElement>(null)

  // In a frame of its own the open event's row comes to the middle; the page stays where it is.
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
      {/* Another trace folds as it needs to, whatever was done to this one. */}
      <details key={id} open={total > 1}>
        <summary>
          {total > 1 ? (
            <>
              <strong>All of this {by}</strong>: {formatCount(total)} events of {servicesWords(services)} in{' '}
              {formatDuration(lengthMs)}
            </>
          ) : (
            `This is the only event of its ${by}`
          )}
        </summary>
        <LeftOut waterfall={waterfall} />
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
            <caption className="visually-hidden">What happened, in the order in which it began</caption>
            <thead>
              <tr>
                <th scope="col" className="num">
                  After
                </th>
                <th scope="col">Event</th>
                <th scope="col" className="num">
                  Took
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
                line.kind === 'quiet' ? (
                  <Quiet key={`quiet ${line.left}`} line={line} />
                ) : (
                  <Row
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

/** What is left out, and where it is. */
function LeftOut({ waterfall: { shown, isSearch, logHref, total, lines } }: { waterfall: Content }) {
  if (shown === 'all') return null
  const kept = shown === 'notable' ? 'the' : `the newest ${formatCount(lines.length)}`
  return (
    <p className="waterfall-more">
      Of {formatCount(total)} events these are {kept} requests, warnings and failures.{' '}
      {isSearch ? 'The log below has all.' : <a href={logHref}>All of them in the log</a>}
    </p>
  )
}

type EventLine = Extract<WaterfallLine, { kind: 'event' }>
type QuietLine = Extract<WaterfallLine, { kind: 'quiet' }>

function Row(props: { line: EventLine; lane: (typeof lanes)[number]; href: string; isOpen: boolean }) {
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
          <Mark line={line} />
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
        {/* However short it was, it is to be seen. */}
        {durationMs === null ? (
          <circle cx={`${left}%`} cy="6" r="3" />
        ) : (
          <rect x={`${left}%`} y="3" width="2" height="6" />
        )}
      </Track>
    </tr>
  )
}

function Quiet({ line: { quietMs, left, width } }: { line: QuietLine }) {
  return (
    <tr className="waterfall-quiet">
      <td />
      <td colSpan={2}>{formatDuration(quietMs)} with nothing logged</td>
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

/** What went wrong, by icon and word; nothing where nothing did. */
function Mark({ line: { severity, isFailed } }: { line: EventLine }) {
  if (severity === 'warn' || severity === 'error' || severity === 'fatal')
    return <SeverityLabel severity={severity} />
  return isFailed ? (
    <span className="severity" data-severity="error">
      <Icon name="error" />
      failed
    </span>
  ) : null
}

function SkewWords({ skew: { kind, service, other, leastMs } }: { skew: ClockSkew }) {
  const least = formatDuration(leastMs)
  const one = <bdi>{plainText(service)}</bdi>
  const two = <bdi>{plainText(other)}</bdi>
  return kind === 'behind' ? (
    <>
      The clock of {one} is {least} or more behind that of {two}: its request begins before the one that
      called it.
    </>
  ) : (
    <>
      The clock of {one} is {least} or more ahead of that of {two}, or nobody waited for it: its request
      begins after the one that called it has ended.
    </>
  )
}

function servicesWords(services: readonly string[]): ReactNode {
  const [first = ''] = services
  return services.length === 1 ? <bdi>{plainText(first)}</bdi> : `${services.length} services`
}
