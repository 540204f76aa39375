import type { ActivitiesContent } from '../../../shared/content.ts'
import type { LogEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import { withTerm } from '../../../shared/query.ts'
import { EventDetails } from '../../components/event-details.tsx'
import { plainText } from '../../components/plain-text.ts'
import { hrefAround, hrefOfSearch, hrefWithoutEvent } from './links.ts'

/** The event that is open, with the ways on from it. */
export function OpenEvent({ event, content }: { event: LogEvent; content: ActivitiesContent }) {
  return (
    <section className="activities-open" id="event" aria-label="Open event">
      <EventDetails
        event={event}
        q={content.q}
        hrefFor={q => hrefOfSearch(content, q)}
        failureHref={
          event.fingerprint === null ? undefined : paths.development({ failure: event.fingerprint })
        }
        closeHref={hrefWithoutEvent(content, event)}
      />
      <nav className="activities-around" aria-label="Around this event">
        <h3>Around this event, 30 seconds before and after</h3>
        <ul>
          <li>
            <a href={hrefAround(event, '')}>Everything</a>
          </li>
          <li>
            <a href={hrefAround(event, withTerm('', 'service', event.service))}>
              Only of <bdi>{plainText(event.service)}</bdi>
            </a>
          </li>
        </ul>
      </nav>
    </section>
  )
}
