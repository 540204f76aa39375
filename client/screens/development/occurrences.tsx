import type { EventRow } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import { withTerm } from '../../../shared/query.ts'
import { spanning } from '../../../shared/range.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import { plainText } from '../../components/plain-text.ts'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { Time } from '../../components/time.tsx'

/** Time before and after an occurrence in which to search for its whole request or trace. */
const aroundMs = 15 * 60_000

/** The newest occurrences, with their requests and traces. */
export function Occurrences({ failure }: { failure: FailureDetail }) {
  const { occurrences, shownDigest } = failure
  const heading = occurrences.length === 1 ? 'Latest occurrence' : `Latest ${occurrences.length} occurrences`
  const title = shownDigest === null ? heading : `${heading} with this digest`
  return (
    <div>
      <h3>{title}</h3>
      <ScrollArea label={title}>
        <table className="occurrences">
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              {['Time', 'Service', 'Release', 'Route', 'Request', 'Trace'].map(name => (
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
  const { timeMs, method, route } = event
  const openHref = paths.activities({
    q: withTerm('', 'failure', failure.id),
    range: spanning(failure.firstSeenMs, failure.lastSeenMs),
    event: event.id,
  })
  return (
    <tr>
      <td>
        <a href={openHref}>
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
        <bdi>{plainText(route === null ? '–' : method === null ? route : `${method} ${route}`)}</bdi>
      </td>
      <td>
        <IdLink field="request" id={event.requestId} timeMs={timeMs} />
      </td>
      <td>
        <IdLink field="trace" id={event.traceId} timeMs={timeMs} />
      </td>
    </tr>
  )
}

function IdLink({ field, id, timeMs }: { field: 'request' | 'trace'; id: string | null; timeMs: number }) {
  if (id === null) return '–'
  const range = spanning(timeMs - aroundMs, timeMs + aroundMs)
  return (
    <a className="mono" href={paths.activities({ q: withTerm('', field, id), range })} title={id}>
      {id}
    </a>
  )
}
