import type { EventRow } from '../../../shared/event.ts'
import { idLinks } from '../../../shared/id-search.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import { plainText } from '../../components/plain-text.ts'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { Time } from '../../components/time.tsx'
import { IdLink } from './id-link.tsx'
import { occurrenceHref } from './occurrence-href.ts'
import { routeOrPath } from './route-or-path.ts'

/** The newest occurrences, with their requests and traces. */
export function Occurrences({ failure }: { failure: FailureDetail }) {
  const { occurrences, shownDigest } = failure
  // A single occurrence is already shown above.
  if (occurrences.length < 2) return null
  const heading = `Latest ${occurrences.length} occurrences`
  const title = shownDigest === null ? heading : `${heading} with this digest`
  return (
    <div>
      <h3>{title}</h3>
      <ScrollArea label={title}>
        <table className="occurrences">
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              {['Time', 'Service', 'Release', 'Route or path', 'Request', 'Trace'].map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {occurrences.map(event => (
              <Row key={event.id} event={event} failure={failure} />
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </div>
  )
}

function Row({ event, failure }: { event: EventRow; failure: FailureDetail }) {
  const { timeMs, requestId, traceId } = event
  const links = idLinks(event)
  return (
    <tr>
      <td>
        <a href={occurrenceHref(failure, event.id)}>
          <Time ms={timeMs} precision="millisecond" />
        </a>
      </td>
      <td>
        <bdi>{plainText(event.service)}</bdi>
      </td>
      <td>
        <bdi>{plainText(event.release ?? '–')}</bdi>
      </td>
      <td>
        <bdi>{plainText(routeOrPath(event) ?? '–')}</bdi>
      </td>
      <td>{requestId === null ? '–' : <IdLink id={requestId} href={links.request} />}</td>
      <td>{traceId === null ? '–' : <IdLink id={traceId} href={links.trace} />}</td>
    </tr>
  )
}
