import { useEffect, useLayoutEffect, useRef } from 'react'
import type { LogEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import type { ActivitiesContent, OpenEvent as Content } from '../../../shared/screens/activities.ts'
import { announce } from '../../announce.ts'
import { EventDetails } from '../../components/event-details.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import { Waterfall } from '../../components/waterfall.tsx'
import { ClockNotice } from './clock-notice.tsx'
import { EventContext } from './event-context.tsx'
import { hrefOfCounts, hrefOfEvent, hrefOfSearch, hrefWithColumn, hrefWithoutEvent } from './links.ts'

/** The details of the open event, in a panel over the log. */
export function OpenEvent({
  event: { links, ...event },
  content,
}: {
  event: Content
  content: ActivitiesContent
}) {
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
      <div className="activities-steps">
        <Step href={hrefOfNeighbour(content, event, -1)} icon="up" label="Newer event" />
        <Step href={hrefOfNeighbour(content, event, 1)} icon="down" label="Older event" />
        <Step href={hrefWithoutEvent(content, event)} icon="close" label="Close event" />
      </div>
      <EventDetails
        key={event.id}
        event={event}
        frames={content.openFrames}
        q={content.q}
        hrefFor={q => hrefOfSearch(content, q)}
        columnHref={key => hrefWithColumn(content, event, key)}
        countHref={key => hrefOfCounts(content, key)}
        links={links}
        permalink={`${paths.activities({ event: event.id })}#event`}
      >
        {waterfall !== null && !waterfall.isSearch && (
          <Waterfall waterfall={waterfall} openId={event.id} hrefFor={other => hrefOfEvent(content, other)} />
        )}
      </EventDetails>
      <EventContext event={event} content={content} />
    </section>
  )
}

function Step({ href, icon, label }: { href: string | undefined; icon: IconName; label: string }) {
  if (href === undefined) return null
  return (
    <a
      className={icon === 'close' ? 'activities-step event-close' : 'activities-step'}
      href={href}
      aria-label={label}
      title={label}
    >
      <Icon name={icon} />
    </a>
  )
}

/** The URL of the event above or below on the page, if there is one. */
function hrefOfNeighbour(content: ActivitiesContent, { id }: LogEvent, step: 1 | -1): string | undefined {
  const index = content.events.findIndex(event => event.id === id)
  const neighbour = index === -1 ? undefined : content.events[index + step]
  return neighbour === undefined ? undefined : hrefOfEvent(content, neighbour)
}

function useScrollToTop(panel: React.RefObject<HTMLElement | null>, eventId: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each event starts at the top
  useLayoutEffect(() => {
    panel.current?.scrollTo(0, 0)
  }, [panel, eventId])
}

/**
 * Leaves the focus on the row, unless the panel covers the rows. When the panel closes, moves the focus to the row of the
 * event that it showed last, so that the visitor can continue there.
 */
function useFocus(panel: React.RefObject<HTMLElement | null>, eventId: number): void {
  const latestId = useRef(eventId)
  latestId.current = eventId
  useEffect(() => {
    const isOpenedFromRow = document.activeElement?.matches('.events a') ?? false
    if (!isOpenedFromRow) return
    if (coversRows(panel.current)) panel.current?.focus({ preventScroll: true })
    else announce('Event opened. Press Enter to move to it.')
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
