import type { ReactNode } from 'react'
import type { EventRow } from '../../../shared/event.ts'
import { idLinks } from '../../../shared/id-search.ts'
import { paths } from '../../../shared/paths.ts'
import { type Range, spanning, type Window } from '../../../shared/range.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import { EventDetails } from '../../components/event-details.tsx'
import { plainText } from '../../components/plain-text.ts'
import { Time } from '../../components/time.tsx'
import { IdLink } from './id-link.tsx'
import { OccurrenceContext } from './occurrence-context.tsx'
import { countsHref, occurrenceHref } from './occurrence-href.ts'
import { RequestLog } from './request-log.tsx'
import { routeOrPath } from './route-or-path.ts'

/** The newest occurrence: when and where it happened, and all its fields. Also the log of a request, and the context. */
export function LatestOccurrence(props: { failure: FailureDetail; range: Range; window: Window }) {
  const { failure, range, window } = props
  const { latest, requestLog, context, occurrences, shownDigest } = failure
  const [newest] = occurrences
  const name = `Latest occurrence${shownDigest === null ? '' : ' with this digest'}`
  return (
    <>
      <h3>{name}</h3>
      {newest !== undefined && <Origin event={newest} href={occurrenceHref(failure, newest.id)} />}
      {requestLog !== null && <RequestLog log={requestLog} failure={failure} />}
      {context !== null && <OccurrenceContext context={context} failure={failure} />}
      {latest !== null && (
        <details className="failure-latest">
          <summary>All fields of the {name.toLowerCase()}</summary>
          <EventDetails
            // The exception is shown above.
            event={{ ...latest, ...(newest?.path !== undefined && { path: newest.path }), exception: null }}
            q=""
            hrefFor={q => paths.activities({ q, range: rangeAround(latest.timeMs, range, window) })}
            links={idLinks(latest)}
            countHref={key => countsHref(failure, key)}
            permalink={occurrenceHref(failure, latest.id)}
          />
        </details>
      )}
    </>
  )
}

/** When and where the occurrence happened, with links to the event and to the whole request and trace. */
function Origin({ event, href }: { event: EventRow; href: string }) {
  const { timeMs, service, release, route, requestId, traceId } = event
  const links = idLinks(event)
  const target = routeOrPath(event)
  const facts: [name: string, value: ReactNode][] = [
    [
      'Time',
      <a key="time" href={href}>
        <Time ms={timeMs} precision="millisecond" />
      </a>,
    ],
    ['Service', <bdi key="service">{plainText(service)}</bdi>],
    ['Release', release && <bdi key="release">{plainText(release)}</bdi>],
    [route === null ? 'Path' : 'Route', target && <bdi key="route">{plainText(target)}</bdi>],
    ['Request', requestId && <IdLink key="request" id={requestId} href={links.request} />],
    ['Trace', traceId && <IdLink key="trace" id={traceId} href={links.trace} />],
  ]
  return (
    <dl className="failure-facts">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** The current range if it contains the time, otherwise twelve hours around the time. */
function rangeAround(timeMs: number, range: Range, { fromMs, toMs }: Window): Range {
  if (timeMs >= fromMs && timeMs < toMs) return range
  const sixHoursMs = 6 * 3_600_000
  return spanning(timeMs - sixHoursMs, timeMs + sixHoursMs)
}
