import { paths } from '../../../shared/paths.ts'
import type { RequestLog as Log } from '../../../shared/screens/development.ts'
import { EventTable } from '../../components/event-table.tsx'

/** The log lines of the request in which a failure occurred. */
export function RequestLog({ log }: { log: Log }) {
  const { occurrenceId, events, more, q, range } = log
  const services = new Set(events.map(({ service }) => service)).size
  return (
    <div className="failure-log">
      <h3 id="request-log">Log of this request</h3>
      {events.length > 1 ? (
        <EventTable
          events={events}
          openId={occurrenceId}
          hrefFor={({ id }) => paths.activities({ q, range, event: id })}
          caption="Log lines of the request, oldest first"
        />
      ) : (
        <p className="muted">No other log line has this request’s IDs.</p>
      )}
      <p>
        <a href={paths.activities({ q, range })}>
          {more ? 'Show all lines of this request' : 'Show this request in the log'}
        </a>
        {services > 1 && ` (${services} services)`}
      </p>
    </div>
  )
}
