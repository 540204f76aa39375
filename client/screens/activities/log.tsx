import { type RefObject, useCallback, useEffect, useRef } from 'react'
import type { ActivitiesContent } from '../../../shared/content.ts'
import { formatCount } from '../../../shared/format.ts'
import { ButtonLink } from '../../components/button.tsx'
import { EventTable } from '../../components/event-table.tsx'
import { FollowBar, Waiting } from './follow-bar.tsx'
import { hrefOfEvent } from './links.ts'
import { arrivedCount, waitingCount } from './live-rows.ts'
import { NoEvents } from './no-events.tsx'
import { useFollow } from './use-follow.ts'
import { useKeptRow } from './use-kept-row.ts'
import { useRowKeys } from './use-row-keys.ts'

/** The events: what arrived since on top, the page of the server under it, older and newer at the end. */
export function Log({ content }: { content: ActivitiesContent }) {
  const list = useRef<HTMLDivElement>(null)
  const top = useRef<HTMLDivElement>(null)
  const isReading = useCallback(
    () => !isInView(top.current) || list.current?.contains(document.activeElement) === true,
    [],
  )
  const follow = useFollow(content.liveHref, isReading)
  const { live } = follow
  const waiting = waitingCount(live)

  // Whoever has come back to the top, or has left the row they were on, sees what waited.
  const showUnlessReading = () => {
    if (waiting > 0 && !isReading()) follow.show()
  }
  useWhenInView(top, showUnlessReading)
  const showNewest = () => {
    follow.show()
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    top.current?.scrollIntoView({ block: 'start' })
  }
  useRowKeys(list, () => (waiting > 0 ? showNewest() : content.liveHref !== null && follow.toggle()))

  useKeptRow(content.open?.id ?? null)

  const missedBelow = new Map(live.shown.map(row => [row.event.id, row.missedBelow]))
  const events = [
    ...live.shown.map(({ event }) => event),
    ...content.events.filter(({ id }) => !missedBelow.has(id)),
  ]
  return (
    <section className="activities-log" aria-label="Events">
      <div className="activities-top" ref={top} />
      <FollowBar content={content} arrived={arrivedCount(live)} follow={follow} />
      {waiting > 0 && <Waiting count={waiting} onShow={showNewest} />}
      {events.length === 0 ? (
        <NoEvents content={content} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only hears that the focus has left its rows
        <div ref={list} onBlur={() => setTimeout(showUnlessReading)}>
          <EventTable
            events={events}
            columns={content.columns}
            marks={content.marks}
            hrefFor={event => hrefOfEvent(content, event)}
            openId={content.open?.id}
            caption="Events, newest first"
            below={event => missedNote(missedBelow.get(event.id) ?? 0)}
          />
        </div>
      )}
      <Pages content={content} />
    </section>
  )
}

function missedNote(missed: number): string | null {
  if (missed === 0) return null
  return `${formatCount(missed)} ${missed === 1 ? 'event is' : 'events are'} not shown here: load the page anew to see more`
}

function Pages({ content: { newerHref, olderHref } }: { content: ActivitiesContent }) {
  if (newerHref === null && olderHref === null) return null
  return (
    <nav className="activities-pages" aria-label="Pages">
      {newerHref !== null && <ButtonLink href={newerHref}>Newer</ButtonLink>}
      {olderHref !== null && <ButtonLink href={olderHref}>Older</ButtonLink>}
    </nav>
  )
}

function isInView(element: Element | null): boolean {
  return element !== null && element.getBoundingClientRect().bottom >= 0
}

/** Calls back when the element comes into view. */
function useWhenInView(element: RefObject<Element | null>, call: () => void): void {
  const latest = useRef(call)
  useEffect(() => {
    latest.current = call
  })
  useEffect(() => {
    if (element.current === null) return
    const observer = new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) latest.current()
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
}
