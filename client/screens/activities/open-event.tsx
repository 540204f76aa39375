import { useEffect, useLayoutEffect, useRef } from 'react'
import type { LogEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { EventDetails } from '../../components/event-details.tsx'
import { Waterfall } from '../../components/waterfall.tsx'
import { ClockNotice } from './clock-notice.tsx'
import { EventContext } from './event-context.tsx'
import { hrefOfEvent, hrefOfSearch, hrefWithColumn, hrefWithoutEvent } from './links.ts'

/** The details of the open event, in a panel over the log. */
export function OpenEvent({ event, content }: { event: LogEvent; content: ActivitiesContent }) {
  const { waterfall } = content
  const panel = useRef<HTMLElement>(null)
  useScrollToTop(panel, event.id)
  useFocus(panel, event.id)
  return (
    <section ref={panel} className="activities-open" id="event" aria-labelledby="event-title" tabIndex={-1}>
      <h2 id="event-title" className="visually-hidden">
        Open event
      </h2>
      <ClockNotice lateByMs={content.openLateMs} />
      <EventDetails
        key={event.id}
        event={event}
        frames={content.openFrames}
        q={content.q}
        hrefFor={q => hrefOfSearch(content, q)}
        columnHref={key => hrefWithColumn(content, event, key)}
        failureHref={
          event.fingerprint === null ? undefined : paths.development({ failure: event.fingerprint })
        }
        permalink={`${paths.activities({ event: event.id })}#event`}
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

function useScrollToTop(panel: React.RefObject<HTMLElement | null>, eventId: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each event starts at the top
  useLayoutEffect(() => {
    panel.current?.scrollTo(0, 0)
  }, [panel, eventId])
}

/**
 * The focus stays on the row, except where the panel covers the rows. When the panel closes, the focus returns to the row of
 * the last open event, so that the visitor continues there.
 */
function useFocus(panel: React.RefObject<HTMLElement | null>, eventId: number): void {
  const latestId = useRef(eventId)
  latestId.current = eventId
  useEffect(() => {
    const hasOpened = document.activeElement?.matches('.events a') ?? false
    if (hasOpened && coversRows(panel.current)) panel.current?.focus({ preventScroll: true })
  }, [panel])
  useLayoutEffect(
    () => () => {
      const active = document.activeElement
      if (active !== document.body && !panel.current?.contains(active)) return
      document.querySelector<HTMLElement>(`#event-${latestId.current} a`)?.focus({ preventScroll: true })
    },
    [panel],
  )
}

function coversRows(panel: HTMLElement | null): boolean {
  return panel !== null && panel.getBoundingClientRect().left <= 0
}
