import { useEffect, useRef } from 'react'
import type { LogEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { EventDetails } from '../../components/event-details.tsx'
import { Waterfall } from '../../components/waterfall.tsx'
import { ClockNotice } from './clock-notice.tsx'
import { EventContext } from './event-context.tsx'
import { hrefOfEvent, hrefOfSearch, hrefWithoutEvent } from './links.ts'

/** The details of the open event, with related links. */
export function OpenEvent({ event, content }: { event: LogEvent; content: ActivitiesContent }) {
  const { waterfall } = content
  const section = useRef<HTMLElement>(null)
  // If the event was opened by keyboard, move the focus to its details.
  useEffect(() => {
    if (document.activeElement?.matches('.events a:focus-visible')) {
      section.current?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <section ref={section} className="activities-open" id="event" aria-labelledby="event-title" tabIndex={-1}>
      <h2 id="event-title" className="visually-hidden">
        Open event
      </h2>
      <ClockNotice lateByMs={content.openLateMs} />
      <EventDetails
        event={event}
        q={content.q}
        hrefFor={q => hrefOfSearch(content, q)}
        failureHref={
          event.fingerprint === null ? undefined : paths.development({ failure: event.fingerprint })
        }
        closeHref={hrefWithoutEvent(content, event)}
      >
        {waterfall !== null && !waterfall.isSearch && (
          <Waterfall waterfall={waterfall} openId={event.id} hrefFor={other => hrefOfEvent(content, other)} />
        )}
      </EventDetails>
      <EventContext event={event} content={content} />
    </section>
  )
}
