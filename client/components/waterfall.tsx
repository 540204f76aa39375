import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatCount, formatDuration, pluralise } from '../../shared/format.ts'
import { isFailureSeverity } from '../../shared/severity.ts'
import type { ClockSkew, Waterfall as Content, WaterfallLine } from '../../shared/waterfall.ts'
import { CopyLoaded } from './copy-loaded.tsx'
import { Icon } from './icon.tsx'
import { plainText } from './plain-text.ts'
import { SeverityLabel } from './severity-label.tsx'

/**
 * The colours of the services, which are ordered by their first event. The colours repeat after the fourth service, but each
 * row also shows the service name.
 */
const lanes = ['accent', 'second', 'third', 'neutral'] as const

/**
 * The events of a trace or request, nested by span. Events with a duration are bars; others are points. Rows link to their
 * events. Collapsed if there is only one event.
 */
export function Waterfall(props: {
  waterfall: Content
  hrefFor: (event: { id: number }) => string
  openId?: number | undefined
}) {
  const { waterfall, hrefFor, openId } = props
  const { by, id, isSearch, lines, lengthMs, nestedBy, services, shown, skews, total } = waterfall
  const frame = useRef<HTMLDivElement>(null)
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())

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
      data-names={nameLengthOf(services)}
    >
      {/* The key resets the open state when another trace is shown. */}
      <details key={id} open={total > 1}>
        <summary>
          {total > 1 ? (
            <>
              <strong>Full {by}</strong>: {formatCount(total)} events
              {shown === 'all' && (
                <>
                  {' '}
                  from {servicesWords(services)} in {formatDuration(lengthMs)}
                </>
              )}
            </>
          ) : (
            `No other events in this ${by}`
          )}
        </summary>
        <OmittedEvents waterfall={waterfall} />
        {nestedBy === 'time' && (
          <p className="waterfall-more">Events whose parent span is unknown are nested by time.</p>
        )}
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
          onPointerEnter={async ({ currentTarget }) => {
            // The import fails if the visitor is offline, but the rows still show the times.
            const module = await import('./time-cursor.ts').catch(() => null)
            module?.showTimeCursor(currentTarget, lengthMs)
          }}
          {...(isSearch ? {} : { tabIndex: 0, role: 'group', 'aria-label': 'Rows' })}
        >
          <table>
            <caption className="visually-hidden">Nested events, ordered by start time</caption>
            <thead>
              <tr>
                <th scope="col" className="num">
                  Start
                </th>
                <th scope="col">Event</th>
                <th scope="col" className="waterfall-track">
                  <span className="visually-hidden">Duration</span>
                  <span className="waterfall-axis" aria-hidden="true">
                    <span>0 ms</span>
                    <span>{formatDuration(lengthMs)}</span>
                  </span>
                </th>
              </tr>
            </thead>
            <tbody>
              {unfolded(lines, folded).map(line =>
                line.kind === 'gap' ? (
                  <GapRow key={`gap ${line.left}`} line={line} />
                ) : (
                  <WaterfallRow
                    key={line.id}
                    line={line}
                    lane={lanes[services.indexOf(line.service) % lanes.length] ?? 'neutral'}
                    href={hrefFor(line)}
                    isOpen={line.id === openId}
                    isFolded={folded.has(line.id)}
                    onFold={() => setFolded(toggled(folded, line.id))}
                  />
                ),
              )}
            </tbody>
          </table>
        </div>
        <p className="waterfall-copy needs-script">
          <CopyLoaded load={async () => (await import('./log-lines.ts')).linesOfTrace(waterfall).join('\n')}>
            Copy lines
          </CopyLoaded>
        </p>
      </details>
    </section>
  )
}

/** The numbers of characters that fit into the columns for short and medium service names. */
const [shortName, mediumName] = [11, 20]

/** Selects the width of the service names. An inline style could be exact, but the Content-Security-Policy blocks it. */
function nameLengthOf(services: readonly string[]): 'medium' | 'long' | undefined {
  const longest = Math.max(...services.map(service => service.length))
  return longest > mediumName ? 'long' : longest > shortName ? 'medium' : undefined
}

/** Returns the complete name for services whose name may be cut off. */
function tooltipOf(service: string): string | undefined {
  return service.length > shortName ? plainText(service) : undefined
}

function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const changed = new Set(ids)
  if (!changed.delete(id)) changed.add(id)
  return changed
}

/** Omits the lines nested in folded events. */
function unfolded(lines: readonly WaterfallLine[], folded: ReadonlySet<number>): WaterfallLine[] {
  let foldedDepth: number | null = null
  return lines.filter(line => {
    if (foldedDepth !== null && line.depth > foldedDepth) return false
    foldedDepth = line.kind === 'event' && folded.has(line.id) ? line.depth : null
    return true
  })
}

/** If events are omitted, says which events are shown, with a link to all events. */
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
  isFolded: boolean
  onFold: () => void
}) {
  const { line, lane, href, isOpen, isFolded, onFold } = props
  const { offsetMs, durationMs, service, request, text, nested } = line
  return (
    <tr data-open={isOpen || undefined} data-tone={lane}>
      <td className="num">{formatDuration(offsetMs)}</td>
      <td>
        <div className="waterfall-event">
          <Indent line={line} />
          {nested > 0 && (
            <button
              type="button"
              className="waterfall-fold needs-script"
              aria-expanded={!isFolded}
              aria-label={pluralise(nested, 'nested event')}
              onClick={onFold}
            >
              <Icon name={isFolded ? 'right' : 'down'} />
            </button>
          )}
          <span className="waterfall-service" title={tooltipOf(service)}>
            <bdi>{plainText(service)}</bdi>
          </span>
          <FailureMark line={line} />
          <a href={href} dir="auto" aria-current={isOpen ? 'true' : undefined}>
            {request !== null && <strong>{plainText(request)}</strong>}
            {request === null && text.trim() === '' && '(no message)'}
            {text !== '' && <span data-aside={request !== null || undefined}> {plainText(text)}</span>}
          </a>
          {isFolded && <span className="muted">+{nested}</span>}
        </div>
      </td>
      <Track durationMs={durationMs}>
        <Bar line={line} />
      </Track>
    </tr>
  )
}

/** A bar labelled with the duration, or a point. For a failed event, the bar ends with a red mark, or the point is red. */
function Bar({ line: { left, width, durationMs, isFailed } }: { line: EventLine }) {
  if (durationMs === null) return <circle cx={`${left}%`} cy="12" r="3" data-failed={isFailed || undefined} />
  const end = `${left + width}%`
  return (
    <>
      <rect x={`${left}%`} y="8" width={`${width}%`} height="8" rx="1" />
      {/* A minimum width keeps short durations visible. */}
      <rect x={`${left}%`} y="8" width="2" height="8" />
      {isFailed && <rect x={end} y="5" width="3" height="14" data-failed="" />}
      <text x={end} dx="8" y="16">
        {formatDuration(durationMs)}
      </text>
    </>
  )
}

const indentWidth = 14
/** Deeper lines are not indented further, so that their text remains readable. */
const maxIndent = 10

/** A vertical line for each level of nesting, up to `maxIndent`. */
function Indent({ line: { depth } }: { line: WaterfallLine }) {
  if (depth === 0) return null
  const count = Math.min(depth, maxIndent)
  const path = Array.from({ length: count }, (_, index) => `M${index * indentWidth + 7} 0v24`).join('')
  return (
    <>
      <svg className="waterfall-indent" width={count * indentWidth} height="24" aria-hidden="true">
        <path d={path} />
      </svg>
      <span className="visually-hidden">Level {depth + 1}</span>
    </>
  )
}

function GapRow({ line }: { line: GapLine }) {
  const { gapMs, left, width } = line
  return (
    <tr className="waterfall-gap">
      <td className="num" />
      <td>
        <div className="waterfall-event">
          <Indent line={line} />
          No events for {formatDuration(gapMs)}
        </div>
      </td>
      <Track durationMs={null}>
        <line x1={`${left}%`} x2={`${left + width}%`} y1="12" y2="12" />
      </Track>
    </tr>
  )
}

function Track({ durationMs, children }: { durationMs: number | null; children: ReactNode }) {
  return (
    <td className="waterfall-track">
      {durationMs !== null && <span className="visually-hidden">{formatDuration(durationMs)}</span>}
      <svg width="100%" height="24" aria-hidden="true">
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
  const one = <bdi>{plainText(service)}</bdi>
  const two = <bdi>{plainText(other)}</bdi>
  const least = formatDuration(minSkewMs)
  return kind === 'behind' ? (
    <>
      The clock of {one} is at least {least} behind the clock of {two}: the request to {one} starts before the
      request to {two} that caused it.
    </>
  ) : (
    <>
      The clock of {one} is at least {least} ahead of the clock of {two}, or {two} did not wait for the
      response: the request to {one} starts after the request to {two} that caused it has ended.
    </>
  )
}

function servicesWords(services: readonly string[]): ReactNode {
  const [first = ''] = services
  return services.length === 1 ? <bdi>{plainText(first)}</bdi> : `${services.length} services`
}
