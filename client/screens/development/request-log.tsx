import { paths } from '../../../shared/paths.ts'
import type { FailureDetail, RequestLog as Log } from '../../../shared/screens/development.ts'
import { CopyLoaded } from '../../components/copy-loaded.tsx'
import { EventTable } from '../../components/event-table.tsx'
import { OtherOccurrence } from './other-occurrence.tsx'

/** The log lines of the request in which a failure occurred. */
export function RequestLog({ log, failure }: { log: Log; failure: FailureDetail }) {
  const { occurrenceId, earlierOccurrence, events, more, q, range } = log
  const services = new Set(events.map(({ service }) => service)).size
  return (
    <div className="failure-log">
      <h3 id="request-log">Log of {earlierOccurrence === null ? 'this' : 'an earlier'} request</h3>
      {earlierOccurrence !== null && (
        <OtherOccurrence
          failure={failure}
          occurrence={earlierOccurrence}
          reason="because the latest occurrence has neither a trace ID nor a request ID"
        />
      )}
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
      <div className="failure-log-actions">
        <span>
          <a href={paths.activities({ q, range })}>
            {more ? 'Show all lines of this request' : 'Show this request in the log'}
          </a>
          {services > 1 && ` (${services} services)`}
        </span>
        {events.length > 1 && (
          <span className="needs-script">
            <CopyLoaded
              load={async () =>
                (await import('../../components/log-lines.ts')).linesOfEvents(events).join('\n')
              }
            >
              Copy lines
            </CopyLoaded>
          </span>
        )}
      </div>
    </div>
  )
}
