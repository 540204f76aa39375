import { useCallback, useRef } from 'react'
import type { Column } from '../../../shared/columns.ts'
import { formatDuration } from '../../../shared/format.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { ButtonLink } from '../../components/button.tsx'
import { EventTable } from '../../components/event-table.tsx'
import { useOneTabStop } from '../../components/use-one-tab-stop.ts'
import { usePage } from '../../page.ts'
import { FollowBar, NewEventsButton } from './follow-bar.tsx'
import { hrefOfEvent } from './links.ts'
import { arrivedCount, waitingCount } from './live-rows.ts'
import { NoEvents } from './no-events.tsx'
import { MissingEvents, pauseBelow } from './row-notes.tsx'
import { useCountRefresh } from './use-count-refresh.ts'
import { useFollow } from './use-follow.ts'
import { useInView, useRowLimit } from './use-in-view.ts'
import { useRowKeys } from './use-row-keys.ts'

/** The live events, the page of events from the server, and links to newer and older pages. */
export function Log({ content }: { content: ActivitiesContent }) {
  const { url } = usePage()
  const list = useRef<HTMLDivElement>(null)
  const top = useRef<HTMLDivElement>(null)
  const isReading = useCallback(
    () => !isInView(top.current) || list.current?.contains(document.activeElement) === true,
    [],
  )
  // An absolute range ends while live updates are on, so the server stops counting new events.
  const canFollow = content.liveHref !== null && content.countedTo !== null
  const follow = useFollow(content.liveHref, canFollow, isReading)
  const { live } = follow
  const waiting = waitingCount(live)

  // Show hidden events when the visitor scrolls to the top or the focus leaves the rows.
  const showUnlessReading = () => {
    if (waiting > 0 && !isReading()) follow.show()
  }
  useInView(top, showUnlessReading)
  const showNewest = () => {
    follow.show()
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    top.current?.scrollIntoView({ block: 'start' })
  }
  useRowKeys(list, () => (waiting > 0 ? showNewest() : canFollow && follow.toggle()))

  useOneTabStop(list)

  const missedBelow = new Map(live.shown.map(row => [row.event.id, row.missedBelow]))
  const events = [
    ...live.shown.map(({ event }) => event),
    ...content.events.filter(({ id }) => !missedBelow.has(id)),
  ]
  const indexes = new Map(events.map(({ id }, index) => [id, index]))
  const end = useRef<HTMLDivElement>(null)
  const rowLimit = useRowLimit(end, follow.on && waiting === 0, follow.perSecond !== null)
  const arrived = content.countedTo === null ? 0 : arrivedCount(live, content.countedTo)
  useCountRefresh(follow.on)
  return (
    <section className="activities-log" aria-label="Events">
      <div className="activities-top" ref={top} />
      <FollowBar
        total={content.total + arrived}
        shown={events.length}
        isNewest={content.newerHref === null}
        queryMs={content.queryMs}
        canFollow={canFollow}
        follow={follow}
      />
      {waiting > 0 && <NewEventsButton count={waiting} onShow={showNewest} />}
      {events.length === 0 ? (
        <NoEvents content={content} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the column menu does the same by keyboard
        <div
          ref={list}
          onBlur={() => setTimeout(showUnlessReading)}
          onPointerDown={({ button, target, pointerId, clientX }) => {
            const heading = target instanceof Element && target.closest<HTMLElement>('th[data-column]')
            if (heading && button === 0)
              void startDragging(heading, { pointerId, clientX }, content.columns, url)
          }}
        >
          <EventTable
            events={events}
            limit={rowLimit}
            columns={content.columns}
            canGrow={content.liveHref !== null}
            marks={content.marks}
            hrefFor={event => hrefOfEvent(content, event)}
            openId={content.open?.id}
            caption="Events, newest first"
            below={event => {
              const count = missedBelow.get(event.id) ?? 0
              const nextIndex = (indexes.get(event.id) ?? 0) + 1
              if (count > 0) {
                return (
                  <MissingEvents
                    count={count}
                    above={event}
                    below={events.slice(nextIndex)}
                    content={content}
                    fill={follow.fill}
                  />
                )
              }
              const pauseMs = pauseBelow(event, events[nextIndex], content.window)
              return pauseMs === null ? null : `${formatDuration(pauseMs)} without matching events`
            }}
          />
        </div>
      )}
      <div ref={end} />
      <Pages content={content} />
    </section>
  )
}

/** Where a heading was last pressed. */
let lastStart: object | null = null

/** Starts to move or resize a column. The code for this is loaded on first use. */
async function startDragging(
  heading: HTMLElement,
  start: Pick<PointerEvent, 'pointerId' | 'clientX'>,
  columns: readonly Column[],
  pageUrl: string,
): Promise<void> {
  lastStart = start
  heading.setPointerCapture(start.pointerId)
  // The import fails if the visitor is offline. The column menu can then still move and resize columns.
  const module = await import('./drag-columns.ts').catch(() => null)
  // During the import, the pointer may have been released, which ends the capture, and pressed again.
  if (lastStart === start && heading.hasPointerCapture(start.pointerId)) {
    module?.dragColumn(heading, start, columns, pageUrl)
  }
}

function Pages({ content: { newerHref, olderHref } }: { content: ActivitiesContent }) {
  if (newerHref === null && olderHref === null) return null
  return (
    <nav className="pages" aria-label="Pages">
      {newerHref !== null && <ButtonLink href={newerHref}>Newer</ButtonLink>}
      {olderHref !== null && <ButtonLink href={olderHref}>Older</ButtonLink>}
    </nav>
  )
}

function isInView(element: Element | null): boolean {
  return element !== null && element.getBoundingClientRect().bottom >= 0
}
